import { useEffect } from 'react';
import { usePage } from './page.tsx';
import { session } from './session.ts';
import { theme } from './theme.ts';

/** Stores where a flow was entered, and its theme: Return leads back there, and later pages look the same. */
export function useFlowEntry(path: string): void {
  const { query } = usePage();
  useEffect(() => {
    session.redirectUrl.write(path);
  }, [path]);
  useEffect(() => theme.show(query.theme), [query.theme]);
}
