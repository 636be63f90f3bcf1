import { useEffect } from 'react';
import { session } from './session.ts';

/** A flow says where it was entered; what comes after it leads back there. */
export function useFlowEntry(path: string): void {
  useEffect(() => {
    session.redirectUrl.write(path);
  }, [path]);
}
