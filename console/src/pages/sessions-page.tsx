import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys } from '../lib/passkeys.ts';
import { useAct } from '../lib/use-act.ts';
import { Loaded } from '../ui/loaded.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { SessionRows } from './session-rows.tsx';

/** One's own sessions. */
export function SessionsPage() {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => call('sessions') });
  const end = useAct({
    mutationFn: (session: string) => call('endSession', { session }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Stack>
      <Title order={1}>{say('sessions.title')}</Title>
      <Loaded query={sessions}>
        {(rows) => (
          <SessionRows
            label={say('sessions.title')}
            rows={rows}
            action={({ id, isOwn }) =>
              isOwn ? (
                <Text size="sm">{say('sessions.this')}</Text>
              ) : (
                <Button size="compact-sm" variant="default" onClick={() => end.mutate(id)}>
                  {say('sessions.end')}
                </Button>
              )
            }
          />
        )}
      </Loaded>
      {end.error && <ProblemBox problem={end.error} />}
      {end.isSuccess && <Text role="status">{say('sessions.ended')}</Text>}
      {hasPasskeys && <OwnPasskeys />}
    </Stack>
  );
}
