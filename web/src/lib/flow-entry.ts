import { useEffect } from 'react';
import { usePage } from './page.tsx';
import { session } from './session.ts';
import { theme } from './theme.ts';

/** A flow says where it was entered, and in which theme; what comes after it leads back there and looks the same. */
export function useFlowEntry(path: string): void {
  const { query } = usePage();
  useEffect(() => {
    session.redirectUrl.write(path);
  }, [path]);
  useEffect(() => theme.show(query.theme), [query.theme]);
}
