import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { Rows } from '../ui/rows.tsx';

/** What was done here, newest first, and whether it still is what was written. */
export function AuditPage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => call('audit', { before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const verify = useMutation({ mutationFn: () => call('verifyAudit') });
  const rows = audit.data?.pages.flatMap((page) => page.rows) ?? [];
  const problem = verify.data?.problem;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{say('audit.title')}</Title>
        <Button variant="default" onClick={() => verify.mutate()} loading={verify.isPending}>
          {say('audit.verify')}
        </Button>
      </Group>
      <Text>{say('audit.text')}</Text>
      {verify.data && (
        <Alert color={problem ? 'red' : 'teal'} role={problem ? 'alert' : 'status'} variant="light">
          {problem
            ? say('audit.broken', { number: problem.number, what: sayOr(`audit.${problem.what}`) })
            : say('audit.whole', { rows: verify.data.rows, head: verify.data.head.slice(-8) })}
        </Alert>
      )}
      {[audit.error, verify.error].filter(Boolean).map((error) => (
        <ProblemBox key={String(error)} problem={error} />
      ))}
      <Rows
        label={say('audit.title')}
        rows={rows}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'col.when', cell: ({ at }) => time(at) },
          { title: 'col.person', cell: ({ person }) => person ?? '—' },
          { title: 'col.act', cell: ({ act }) => act },
          {
            title: 'col.subject',
            cell: ({ subject }) => (
              <>
                {subject.kind} <Code>{subject.id}</Code>
              </>
            ),
          },
          { title: 'col.reason', cell: ({ reason }) => reason ?? '' },
          {
            title: 'audit.details',
            cell: ({ before, after, address }) => (
              <Code style={{ whiteSpace: 'pre-wrap' }}>
                {[before, after]
                  .filter(Boolean)
                  .map((each) => JSON.stringify(each))
                  .join(' → ') || address}
              </Code>
            ),
          },
        ]}
      />
      {audit.hasNextPage && (
        <Button variant="default" onClick={() => audit.fetchNextPage()} loading={audit.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Stack>
  );
}
