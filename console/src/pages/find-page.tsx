import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import type { ListedPayment } from './payment-rows.ts';

/** One box for everything that is printed about a payment. What is looked for stands in the address. */
export function FindPage() {
  const { say, sayOr } = useLanguage();
  const { time, money } = useFormat();
  const [, go] = useLocation();
  const opensLeads = useMay()('leads.read');
  const search = new URLSearchParams(useSearch());
  const asked = search.get('text') ?? '';
  const [text, setText] = useState(asked);
  const box = useRef<HTMLInputElement>(null);
  const wantsFocus = search.has('focus') || asked === '';
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (wantsFocus) box.current?.focus();
  }, [wantsFocus]);

  const found = useInfiniteQuery({
    queryKey: ['find', asked],
    queryFn: ({ pageParam }) => call('find', { text: asked, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: asked !== '',
  });
  const payments = found.data?.pages.flatMap((page) => page.payments) ?? [];
  const leads = found.data?.pages.flatMap((page) => page.leads) ?? [];
  const [only] = payments;
  const [lead] = leads;
  const isOnly = payments.length + leads.length === 1 && !found.isFetching;
  const ticket = found.data?.pages[0]?.ticket;
  useEffect(() => {
    // One hit opens; going back leads to where one was before the search.
    if (isOnly && only) go(ticket ? `/tickets/${ticket}` : `/payments/${only.id}`, { replace: true });
    if (isOnly && lead && opensLeads) go(`/leads/${lead.id}`, { replace: true });
  }, [isOnly, only, lead, opensLeads, ticket, go]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted) go(`/find?text=${encodeURIComponent(wanted)}`);
  }

  const columns: Column<ListedPayment>[] = [
    { title: 'col.when', cell: ({ createdAt }) => time(createdAt) },
    {
      title: 'col.reference',
      cell: ({ id, reference }) => (
        <Anchor component={Link} href={`/payments/${id}`}>
          {reference}
        </Anchor>
      ),
    },
    { title: 'col.state', cell: ({ state }) => <StateBadge state={state} /> },
    { title: 'col.number', cell: ({ number }) => number },
    { title: 'col.way', cell: ({ way }) => way },
    { title: 'col.amount', cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
  ];
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
            maxLength={200}
            flex="1 1 20rem"
          />
          <Button type="submit" loading={found.isFetching}>
            {say('find.button')}
          </Button>
        </Group>
      </form>
      {found.error && <ProblemBox problem={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <Text role="status">
          {payments.length + leads.length === 0
            ? say('find.none', { text: asked })
            : say('find.count', { count: payments.length + leads.length })}
        </Text>
      )}
      {leads.length > 0 && (
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
      )}
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
