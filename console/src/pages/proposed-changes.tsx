import { Button, Stack } from '@mantine/core';
import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { SheetAlarm } from './sheet-alarm.tsx';
import { SheetChanges } from './sheet-changes.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

const useChanges = (id: string) =>
  useInfiniteQuery({
    queryKey: ['sheetChanges', id],
    queryFn: ({ pageParam }) => call('sheetChanges', { id, skip: String(pageParam) }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * sheetPage < total ? pages.length * sheetPage : undefined),
  });

/** What the approver of a table has to look at twice: figures, and proposals of others that could not be carried out any more. */
export function ProposedAlarm({ id }: { id: string }) {
  const [first] = useChanges(id).data?.pages ?? [];
  if (!first) return null;
  return (
    <>
      <SheetAlarm alarm={first.alarm} columns={first.columns} />
      <WaitingChanges waiting={first.waiting} text="approvals.overtakes" />
    </>
  );
}

/** All changes of a table, so that nobody approves unseen ones. */
export function ProposedChanges({ id }: { id: string }) {
  const { say } = useLanguage();
  const found = useChanges(id);
  const [first] = found.data?.pages ?? [];
  return (
    <Stack>
      {found.error && <ProblemBox problem={found.error} retry={() => void found.refetch()} />}
      {first && (
        <SheetChanges changes={found.data?.pages.flatMap(({ changes }) => changes) ?? []} columns={first.columns} />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Stack>
  );
}
