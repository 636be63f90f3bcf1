import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import type { SheetColumn, SheetName, SheetSource } from '@portal/contract/console/sheets.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { SheetAlarm } from './sheet-alarm.tsx';
import { changesAtOnce, SheetChanges, SheetProblems } from './sheet-changes.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

export type SheetPreview = ConsoleResult<'previewSheet'>;

interface Props {
  sheet: SheetName;
  columns: readonly SheetColumn[];
  /** Exactly what was previewed; the server refuses anything else. */
  source: SheetSource;
  preview: SheetPreview;
  done: () => void;
}

/** The changes or the errors; without errors, the reason and the button that proposes them. */
export function SheetProposal({ sheet, columns, source, preview, done }: Props) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [skip, setSkip] = useState(0);
  const [isConfirmed, setConfirmed] = useState(false);
  const { encoding, separator, counts, changes, problems, problemCount, digest, alarm, waiting } = preview;
  const total = counts.new + counts.changed + counts.ended;
  const proposing = useAct({
    mutationFn: () => call('proposeSheet', { sheet, source, digest, isConfirmed, reason: reason.trim() }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['approvals'] });
      done();
      notifications.show({ message: say('sheet.proposed') });
    },
  });
  return (
    <Stack>
      {encoding && separator && (
        <Text size="sm" c="dimmed">
          {say('sheet.read', { encoding, separator: separator === '\t' ? say('sheet.tab') : separator })}
        </Text>
      )}
      {problemCount > 0 ? (
        <>
          <Alert color="red" role="alert" variant="light">
            {say('sheet.problems', { count: problemCount })}
          </Alert>
          {problemCount > problems.length && <Text>{say('sheet.firstOnly', { count: sheetPage })}</Text>}
          <SheetProblems problems={problems} columns={columns} />
        </>
      ) : (
        <Text role="status" fw={600}>
          {total === 0 ? say('sheet.nothing') : say('sheet.counts', counts)}
        </Text>
      )}
      {problemCount === 0 && total > 0 && (
        <>
          <SheetAlarm alarm={alarm} columns={columns} />
          {source.kind === 'file' && <WaitingChanges waiting={waiting} text="sheet.someWait" />}
          {total > changes.length && <Text>{say('sheet.firstOnly', { count: sheetPage })}</Text>}
          <SheetChanges
            changes={changes.slice(skip, skip + changesAtOnce)}
            columns={columns}
            total={changes.length}
            skip={skip}
            turn={setSkip}
          />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              proposing.mutate();
            }}
          >
            <Stack>
              <Textarea
                label={say('payment.reason')}
                description={say('payment.reasonHint')}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
                minLength={3}
                maxLength={500}
                autosize
                required
              />
              {alarm && (
                <Checkbox
                  label={say('sheet.alarmSeen')}
                  checked={isConfirmed}
                  onChange={(event) => setConfirmed(event.currentTarget.checked)}
                />
              )}
              {proposing.error && <ProblemBox problem={proposing.error} />}
              <Group justify="flex-end">
                <Button type="submit" loading={proposing.isPending} disabled={alarm !== null && !isConfirmed}>
                  {say('sheet.propose')}
                </Button>
              </Group>
            </Stack>
          </form>
        </>
      )}
    </Stack>
  );
}
