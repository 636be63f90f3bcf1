import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { auditActs } from '@portal/contract/console/acts.ts';
import { type Permission, permissions } from '@portal/contract/console/permissions.ts';
import type { viewFilters } from '@portal/contract/console/view-filters.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { addressFilters, anyText, dayIn, oneOf } from '../lib/address-filters.ts';
import { call, download } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useActWords } from '../lib/use-act-words.ts';
import { useFormat } from '../lib/use-format.ts';
import { useWayName } from '../lib/use-way-name.ts';
import type { TextKey } from '../texts/en.ts';
import { AuditDetails } from '../ui/audit-details.tsx';
import { Exports } from '../ui/exports.tsx';
import { IgnoredFilters } from '../ui/ignored-filters.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { Rows } from '../ui/rows.tsx';
import { SavedViews } from '../ui/saved-views.tsx';
import { ShortCode } from '../ui/short-code.tsx';

const filterReaders = {
  ...{ person: anyText, act: oneOf(auditActs), about: anyText, from: dayIn, day: dayIn },
} as const satisfies Record<(typeof viewFilters.audit)[number], unknown>;
const filterLabels = {
  person: 'col.person',
  act: 'col.act',
  about: 'audit.about',
  from: 'audit.from',
  day: 'audit.until',
} as const satisfies Record<keyof typeof filterReaders, TextKey>;

/** Filters by person, act and time; they are in the URL. */
function Filter({ asked }: { asked: Partial<Record<keyof typeof filterLabels, string>> }) {
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
        <TextInput name="from" label={say('audit.from')} defaultValue={asked.from ?? ''} type="date" />
        <TextInput name="day" label={say('audit.until')} defaultValue={asked.day ?? ''} type="date" />
        <Button type="submit" variant="default">
          {say('audit.search')}
        </Button>
      </Group>
    </form>
  );
}

/** The audit, newest first, with the result of its verification. */
export function AuditPage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const actWords = useActWords();
  const wayName = useWayName();
  const { filters: filter, unread } = addressFilters(new URLSearchParams(useSearch()), filterReaders);
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => call('audit', { ...filter, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const people = useQuery({ queryKey: ['people'], queryFn: () => call('people') });
  /** The readable name, where there is one. */
  const nameOf = ({ kind, id }: { kind: string; id: string }): string => {
    if (kind === 'person') return people.data?.find((one) => one.id === id)?.email ?? '';
    if (kind === 'way') return wayName(id);
    // A proposal is about its changes, which have no name.
    if (kind === 'sheet') return sayOr(`sheet.${id}`) === id ? '' : sayOr(`sheet.${id}`);
    if (kind === 'leads') return id === 'all' ? '' : sayOr(`leadStage.${id}`);
    if (kind === 'content')
      return id
        .split(' ')
        .map((page) => sayOr(`contentName.${page.slice(page.lastIndexOf('/') + 1)}`))
        .join(', ');
    return ['day', 'difference', 'ticket', 'lead', 'announcement'].includes(kind) ? id : '';
  };
  /** For a refused call: the roles that would have been permitted. */
  const reasonWords = (act: string, reason: string | null): string => {
    if (act === 'session.refused' && reason) return sayOr(`because.${reason}`);
    const needed = act === 'call.refused' ? reason?.replace(/^without /, '') : undefined;
    if (!needed || !Object.hasOwn(permissions, needed)) return reason ?? '';
    const holders = permissions[needed as Permission].map((role) => say(`role.${role}`));
    return say('audit.onlyFor', { roles: holders.join(', ') });
  };
  const verify = useAct({ mutationFn: () => call('verifyAudit') });
  const rows = audit.data?.pages.flatMap((page) => page.rows) ?? [];
  const problem = verify.data?.problem;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{say('audit.title')}</Title>
        <Group>
          <Exports
            exports={[
              {
                ...{ name: 'exportAudit', label: 'leads.exportLeads', text: 'audit.exportText' },
                download: (reason) => download('exportAudit', { ...filter, reason }, 'audit.csv'),
              },
            ]}
          />
          <Button variant="default" onClick={() => verify.mutate()} loading={verify.isPending}>
            {say('audit.verify')}
          </Button>
        </Group>
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
      <Filter asked={filter} />
      <IgnoredFilters labels={unread.map((name) => say(filterLabels[name]))} />
      <SavedViews page="audit" />
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
            cell: ({ subject }) => [sayOr(`subject.${subject.kind}`), nameOf(subject)].filter(Boolean).join(' · '),
          },
          { title: 'col.reason', cell: ({ act, reason }) => reasonWords(act, reason) },
          {
            title: 'audit.details',
            cell: ({ before, after }) => <AuditDetails before={before} after={after} />,
          },
          { title: 'col.address', cell: ({ address }) => address ?? '' },
          {
            // Last, because only comparing with another list needs it.
            title: 'audit.id',
            cell: ({ subject }) => <ShortCode code={subject.id} />,
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
