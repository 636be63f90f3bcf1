import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { mayDo, type Permission } from '@portal/contract/console/permissions.ts';
import { createContext, useContext } from 'react';

type Me = ConsoleResult<'me'>;

export const MeContext = createContext<Me | null>(null);

/** The signed-in person. Pages are rendered for nobody else. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

export function useMay(): (permission: Permission) => boolean {
  const { roles } = useMe();
  return (permission) => mayDo(roles, permission);
}
