import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { useMay } from './use-me.ts';

export type Proposed = ConsoleResult<'approvals'>['proposals'][number];

const refetchMs = 30_000;

/** What waits for this person's decision; the menu counts it on each page. */
export const useMyApprovals = () =>
  useQuery({
    queryKey: ['approvals', 'mine'],
    queryFn: () => call('approvals', { list: 'mine' }),
    enabled: useMay()('approvals.decide'),
    refetchInterval: refetchMs,
  });

/** What this person proposed and somebody refused in the last seven days. */
export const useMyRefused = () =>
  useQuery({
    queryKey: ['approvals', 'refusedMine'],
    queryFn: () => call('approvals', { list: 'refusedMine' }),
    enabled: useMay()('approvals.list'),
    refetchInterval: refetchMs,
  });
