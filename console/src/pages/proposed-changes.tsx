import { Stack, Text } from '@mantine/core';
import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { SheetAlarm } from './sheet-alarm.tsx';
import { changesAtOnce, SheetChanges } from './sheet-changes.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

const useChanges = (id: string, skip = 0) =>
  useQuery({
    queryKey: ['sheetChanges', id, skip],
    queryFn: () => call('sheetChanges', { id, skip: String(skip) }),
    placeholderData: keepPreviousData,
  });

/** What the approver of a table reads first: slips, how much changes, and what of others that overtakes. */
export function ProposedSummary({ id }: { id: string }) {
  const { say } = useLanguage();
  const { data } = useChanges(id);
  if (!data) return null;
  return (
    <Stack mb="sm">
      <SheetAlarm alarm={data.alarm} columns={data.columns} />
      <Text fw={600}>{say('sheet.summary', data.counts)}</Text>
      <WaitingChanges waiting={data.waiting} text="approvals.overtakes" />
    </Stack>
  );
}

/** All changes of a table, some at a time, so that the buttons below stay within reach. */
export function ProposedChanges({ id }: { id: string }) {
  const [skip, setSkip] = useState(0);
  const start = skip - (skip % sheetPage);
  const { data, error, refetch } = useChanges(id, start);
  return (
    <>
      {error && <ProblemBox problem={error} retry={() => void refetch()} />}
      {data && (
        <SheetChanges
          changes={data.changes.slice(skip - start, skip - start + changesAtOnce)}
          columns={data.columns}
          total={data.total}
          skip={skip}
          turn={setSkip}
        />
      )}
    </>
  );
}
