import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { viewFilters } from '@portal/contract/console/view-filters.ts';
import { paymentStates } from '@portal/domain/payment/transitions.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { addressFilters, anyText, dayIn, oneOf, timeIn } from '../lib/address-filters.ts';
import { call, download, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { type MoneyProblem, readSums } from '../lib/read-money.ts';
import { lookFor, mayOpenHit, useSearchText } from '../lib/search-text.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMay, useMe } from '../lib/use-me.ts';
import { useWayName } from '../lib/use-way-name.ts';
import type { TextKey } from '../texts/en.ts';
import { Exports } from '../ui/exports.tsx';
import { IgnoredFilters } from '../ui/ignored-filters.tsx';
import { PaymentAmount } from '../ui/payment-amount.tsx';
import { ProblemBox, problemWords } from '../ui/problem-box.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { SavedViews } from '../ui/saved-views.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import type { ListedPayment } from './payment-rows.ts';

const exports = [
  { name: 'exportFound', permission: 'payments.export', label: 'leads.exportLeads', text: 'find.exportText' },
  {
    name: 'exportFoundInFull',
    permission: 'payments.exportInFull',
    label: 'leads.exportLeadsInFull',
    text: 'find.exportInFullText',
  },
] as const;
const filterLabels = {
  state: 'col.state',
  way: 'col.way',
  amount: 'col.amount',
  from: 'find.from',
  fromTime: 'find.fromTime',
  until: 'find.until',
  untilTime: 'find.untilTime',
} as const satisfies Record<(typeof viewFilters.find)[number], TextKey>;
type Asked = Partial<Record<keyof typeof filterLabels, string>>;

/** Filters of the payments list; they are in the URL, unlike the search text. */
function Filters({ asked }: { asked: Asked }) {
  const { ways, currencies } = useMe().operator;
  const language = useLanguage();
  const { say, sayOr } = language;
  const wayName = useWayName();
  const [, go] = useLocation();
  const [wrongAmount, setWrongAmount] = useState<MoneyProblem | null>(null);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    const search = new URLSearchParams(given.filter(([, value]) => value));
    const amount = search.get('amount');
    const read = amount ? readSums(amount, currencies) : { sums: [] };
    setWrongAmount('problem' in read ? read.problem : null);
    if ('problem' in read) return;
    go(search.size > 0 ? `/find?${search}` : '/find');
  }
  return (
    <form onSubmit={submit} key={JSON.stringify(asked)} aria-label={say('find.filters')}>
      <Group align="flex-end">
        <NativeSelect
          name="state"
          label={say('col.state')}
          defaultValue={asked.state ?? ''}
          data={[
            { value: '', label: say('find.anyState') },
            ...paymentStates.map((value) => ({ value, label: sayOr(`state.${value}`) })),
          ]}
        />
        <NativeSelect
          name="way"
          label={say('col.way')}
          defaultValue={asked.way ?? ''}
          data={[
            { value: '', label: say('find.anyWay') },
            ...ways.map(({ code }) => ({ value: code, label: wayName(code) })),
            ...(asked.way && !ways.some(({ code }) => code === asked.way) ? [asked.way] : []),
          ]}
        />
        <TextInput
          name="amount"
          label={say('col.amount')}
          defaultValue={asked.amount ?? ''}
          error={wrongAmount && problemWords(language, new Problem(wrongAmount))}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          w="9rem"
        />
        <TextInput name="from" type="date" label={say('find.from')} defaultValue={asked.from ?? ''} />
        <TextInput name="fromTime" type="time" label={say('find.fromTime')} defaultValue={asked.fromTime ?? ''} />
        <TextInput name="until" type="date" label={say('find.until')} defaultValue={asked.until ?? ''} />
        <TextInput name="untilTime" type="time" label={say('find.untilTime')} defaultValue={asked.untilTime ?? ''} />
        <Button type="submit" variant="default">
          {say('find.list')}
        </Button>
        {Object.keys(asked).length > 0 && (
          <Button component={Link} href="/find" variant="subtle">
            {say('find.clear')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {say('find.filtersHint')}
      </Text>
    </form>
  );
}

/** The search: the filters of the URL, and the text, which is stored nowhere. */
function useSought() {
  const search = new URLSearchParams(useSearch());
  const { currencies } = useMe().operator;
  const asked = useSearchText();
  const { filters, unread } = addressFilters(search, {
    state: oneOf(paymentStates),
    way: anyText,
    amount: (text: string) => ('sums' in readSums(text, currencies) ? text : undefined),
    ...{ from: dayIn, fromTime: timeIn, until: dayIn, untilTime: timeIn },
  } satisfies Record<keyof typeof filterLabels, unknown>);
  const { amount, ...others } = filters;
  const read = readSums(amount ?? '', currencies);
  const sought = {
    ...others,
    ...('sums' in read ? { sums: read.sums } : {}),
    ...(asked ? { text: asked } : {}),
  };
  return { search, filters, unread, asked, sought };
}

/** An amount typed into the box is searched in the last days. */
function AsAmount({ asked }: { asked: string }) {
  const { say } = useLanguage();
  const { money } = useFormat();
  const read = readSums(asked, useMe().operator.currencies);
  if (asked === '' || !('sums' in read)) return null;
  return (
    <Anchor component={Link} href={`/find?${new URLSearchParams({ amount: asked })}`} onClick={() => lookFor('')}>
      {say('find.asAmount', {
        amount: read.sums.map((sum) => money(sum.amount, sum.currency)).join(say('find.or')),
      })}
    </Anchor>
  );
}

/** One search box for any reference, number or name of a payment, and filters by time. */
export function FindPage() {
  const { say } = useLanguage();
  const { day } = useFormat();
  const columns = usePaymentColumns();
  const [, go] = useLocation();
  const may = useMay();
  const opensLeads = may('leads.read');
  const { search, filters, unread, asked, sought } = useSought();
  const isFiltered = Object.keys(filters).length > 0;
  const [text, setText] = useState(asked);
  const box = useRef<HTMLInputElement>(null);
  const wantsFocus = search.has('focus') || (asked === '' && !isFiltered);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (wantsFocus) box.current?.focus();
  }, [wantsFocus]);

  const found = useInfiniteQuery({
    queryKey: ['find', sought],
    queryFn: ({ pageParam }) => call('find', { ...sought, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: asked !== '' || isFiltered,
  });
  const payments = found.data?.pages.flatMap((page) => page.payments) ?? [];
  const leads = found.data?.pages.flatMap((page) => page.leads) ?? [];
  const [first] = found.data?.pages ?? [];
  const [only] = payments;
  const [lead] = leads;
  const isOnly = asked !== '' && payments.length + leads.length === 1 && !found.isFetching;
  useEffect(() => {
    if (!isOnly) return;
    const ticket = first?.ticket;
    const page = only
      ? ticket
        ? `/tickets/${ticket}`
        : `/payments/${only.id}`
      : opensLeads && lead && `/leads/${lead.id}`;
    // A single hit opens at once.
    if (page && mayOpenHit()) go(page);
  }, [isOnly, only, lead, opensLeads, first, go]);

  function submit(event: FormEvent) {
    event.preventDefault();
    lookFor(text);
  }

  const saved = (name: (typeof exports)[number]['name']) => (reason: string) =>
    download(name, { ...sought, reason }, 'payments.csv');

  return (
    <Stack>
      <Title order={1}>{say('find.title')}</Title>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            ref={box}
            type="search"
            label={say('find.label')}
            description={say('find.hint')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={500}
            flex="1 1 20rem"
          />
          <Button type="submit" loading={found.isFetching}>
            {say('find.button')}
          </Button>
        </Group>
      </form>
      <Filters asked={filters} />
      <SavedViews page="find" />
      <IgnoredFilters labels={unread.map((name) => say(filterLabels[name]))} />
      {found.error && <ProblemBox problem={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <Text role="status">
          {payments.length + leads.length === 0
            ? asked
              ? say('find.none', { text: asked })
              : say('find.noneListed')
            : say('find.count', { count: `${payments.length + leads.length}${found.hasNextPage ? '+' : ''}` })}
          {first?.days && ` · ${say('find.days', { from: day(first.days.from), until: day(first.days.until) })}`}
        </Text>
      )}
      {found.data && payments.length + leads.length === 0 && <AsAmount asked={asked} />}
      {payments.length > 0 && (
        <Group>
          <Exports
            exports={exports
              .filter(({ permission }) => may(permission))
              .map((one) => ({ ...one, download: saved(one.name) }))}
          />
        </Group>
      )}
      {leads.length > 0 && <FoundLeads leads={leads} />}
      {payments.length > 0 && (
        <Rows label={say('find.title')} rows={payments} columns={columns} keyOf={({ id }) => id} />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Stack>
  );
}

type FoundLead = ConsoleResult<'find'>['leads'][number];

function FoundLeads({ leads }: { leads: FoundLead[] }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const opensLeads = useMay()('leads.read');
  return (
    <Rows
      label={say('find.leads')}
      rows={leads}
      keyOf={({ id }) => id}
      columns={[
        { title: 'col.when', cell: ({ createdAt }) => time(createdAt) },
        {
          title: 'find.request',
          cell: ({ id }) =>
            opensLeads ? (
              <Anchor component={Link} href={`/leads/${id}`}>
                {id}
              </Anchor>
            ) : (
              id
            ),
        },
        { title: 'col.state', cell: ({ status }) => sayOr(`lead.${status}`) },
        { title: 'col.number', cell: ({ number }) => number },
        { title: 'payment.type', cell: ({ plan }) => plan },
      ]}
    />
  );
}

function usePaymentColumns(): Column<ListedPayment>[] {
  const wayName = useWayName();
  const { time } = useFormat();
  return [
    { title: 'col.when', cell: ({ createdAt }) => time(createdAt) },
    {
      title: 'col.reference',
      cell: ({ id, reference }) => (
        <Anchor component={Link} href={`/payments/${id}`}>
          {reference}
        </Anchor>
      ),
    },
    { title: 'col.state', cell: ({ state, type }) => <StateBadge state={state} type={type} /> },
    { title: 'col.number', cell: ({ number }) => number },
    { title: 'col.way', cell: ({ way }) => wayName(way) },
    { title: 'col.amount', cell: (payment) => <PaymentAmount of={payment} />, isNumber: true },
  ];
}
