import { Anchor, Badge, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { isOurTurn, type TicketState, ticketStates } from '@portal/domain/ticket.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { PaymentAmount } from '../ui/payment-amount.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { Rows } from '../ui/rows.tsx';
import { isStrangers, writtenBy } from '../ui/ticket-author.ts';
import { TicketBadge } from '../ui/ticket-badge.tsx';

const isState = (text: string | null): text is TicketState => ticketStates.includes(text as TicketState);

/** Customers' tickets, the earliest deadline first. The filter is in the URL. */
export function TicketsPage() {
  const { say, sayOr } = useLanguage();
  const { time, span } = useFormat();
  const [, go] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('state');
  const state = isState(asked) ? asked : undefined;
  const found = useInfiniteQuery({
    queryKey: ['tickets', state ?? ''],
    queryFn: ({ pageParam }) => call('tickets', { state, after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
  });
  const tickets = found.data?.pages.flatMap((page) => page.tickets) ?? [];
  return (
    <Stack>
      <Title order={1}>{say('tickets.title')}</Title>
      <Text>{say('tickets.text')}</Text>
      <NativeSelect
        label={say('tickets.filter')}
        value={state ?? ''}
        maw="20rem"
        onChange={(event) => go(event.currentTarget.value ? `/tickets?state=${event.currentTarget.value}` : '/tickets')}
        data={[
          { value: '', label: say('tickets.open') },
          ...ticketStates.map((value) => ({ value, label: say(`ticketState.${value}`) })),
        ]}
      />
      {found.error && <ProblemBox problem={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Text role="status">{say('app.loading')}</Text>}
      {found.data && tickets.length === 0 && <Text role="status">{say('tickets.none')}</Text>}
      {tickets.length > 0 && (
        <Rows
          label={say('tickets.title')}
          rows={tickets}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'col.ticket',
              cell: ({ id, number }) => (
                <Anchor component={Link} href={`/tickets/${id}`}>
                  {number}
                </Anchor>
              ),
            },
            { title: 'col.state', cell: (ticket) => <TicketBadge state={ticket.state} /> },
            {
              title: 'col.promised',
              cell: (ticket) => (
                <Group gap="xs" wrap="nowrap">
                  <span>{time(ticket.promisedAt)}</span>
                  {isOurTurn(ticket.state) && Date.parse(ticket.promisedAt) < Date.now() && (
                    <Badge color="red" variant="light" tt="none">
                      {say('ticket.late')}
                    </Badge>
                  )}
                </Group>
              ),
            },
            {
              title: 'col.openedBy',
              cell: (ticket) => say(writtenBy(ticket.openedBy, isStrangers(ticket))),
            },
            {
              title: 'col.begins',
              cell: ({ beginning, said }) => beginning ?? (said && sayOr(`ticket.said.${said}`)),
            },
            { title: 'col.reference', cell: ({ reference }) => reference },
            { title: 'col.amount', cell: ({ payment }) => <PaymentAmount of={payment} />, isNumber: true },
            {
              title: 'col.firstAnswer',
              cell: ({ openedAt, answeredAt }) => span(openedAt, answeredAt),
              isNumber: true,
            },
            { title: 'col.solution', cell: ({ openedAt, solvedAt }) => span(openedAt, solvedAt), isNumber: true },
          ]}
        />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Stack>
  );
}
