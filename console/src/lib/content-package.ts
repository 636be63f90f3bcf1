import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQueryClient } from '@tanstack/react-query';

export type Package = ConsoleResult<'content'>;
export type PackagePage = Package['pages'][number];

/** After publishing, scheduling or rolling back. */
export function useReloadContent(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(['content', 'contents', 'approvals'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
