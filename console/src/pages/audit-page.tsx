import { Alert, Button, Code, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { auditActs } from '@portal/contract/console/acts.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { Rows } from '../ui/rows.tsx';

const filters = ['person', 'act', 'about', 'day'] as const;

/** An act in words; what was proposed or decided is named by its kind. */
function useActWords() {
  const { say, sayOr } = useLanguage();
  return (act: string): string => {
    const words = sayOr(`act.${act}`);
    if (words !== `act.${act}`) return words;
    const [kind = '', step = ''] = act.split('.');
    return say('audit.step', { step: sayOr(`step.${step}`), what: sayOr(`approvals.kind.${kind}`) });
  };
}

/** Whom, what and when to look for; it stands in the address. */
function Filter({ asked }: { asked: Record<string, string> }) {
  const { say } = useLanguage();
  const [, go] = useLocation();
  const actWords = useActWords();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    const search = new URLSearchParams(given.filter(([, value]) => value));
    go(search.size > 0 ? `/audit?${search}` : '/audit');
  }
  const acts = auditActs
    .map((value) => ({ value, label: actWords(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <form onSubmit={submit} key={JSON.stringify(asked)}>
      <Group align="flex-end">
        <TextInput name="person" label={say('col.person')} defaultValue={asked.person ?? ''} type="email" />
        <NativeSelect
          name="act"
          maw="18rem"
          label={say('col.act')}
          defaultValue={asked.act ?? ''}
          data={[{ value: '', label: say('audit.everything') }, ...acts]}
        />
        <TextInput name="about" label={say('audit.about')} defaultValue={asked.about ?? ''} />
        <TextInput name="day" label={say('audit.until')} defaultValue={asked.day ?? ''} type="date" />
        <Button type="submit" variant="default">
          {say('audit.search')}
        </Button>
      </Group>
    </form>
  );
}

/** What was done here, newest first, and whether it still is what was written. */
export function AuditPage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const actWords = useActWords();
  const asked = Object.fromEntries(new URLSearchParams(useSearch()));
  const filter = Object.fromEntries(filters.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])));
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => call('audit', { ...filter, before: pageParam }),
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
      <Filter asked={asked} />
      {audit.data && rows.length === 0 && <Text role="status">{say('audit.none')}</Text>}
      <Rows
        label={say('audit.title')}
        rows={rows}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'col.when', cell: ({ at }) => time(at) },
          { title: 'col.person', cell: ({ person }) => person ?? '—' },
          { title: 'col.act', cell: ({ act }) => actWords(act) },
          {
            title: 'col.subject',
            cell: ({ subject }) => (
              <>
                {sayOr(`subject.${subject.kind}`)} <Code>{subject.id}</Code>
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
