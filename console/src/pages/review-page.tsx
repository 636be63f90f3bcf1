import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { Loaded } from '../ui/loaded.tsx';
import { PaymentAmount } from '../ui/payment-amount.tsx';
import { Rows } from '../ui/rows.tsx';
import { ProposalLink } from './proposal-link.tsx';

/** Payments that wait for a person, oldest first. */
export function ReviewPage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const wayName = useWayName();
  const waiting = useQuery({ queryKey: ['review'], queryFn: () => call('review'), refetchInterval: 15_000 });
  return (
    <Stack>
      <Title order={1}>{say('review.title')}</Title>
      <Text>{say('review.text')}</Text>
      <Loaded query={waiting}>
        {(payments) =>
          payments.length === 0 ? (
            <Text role="status">{say('review.none')}</Text>
          ) : (
            <Rows
              label={say('review.title')}
              rows={payments}
              keyOf={({ id }) => id}
              columns={[
                { title: 'col.waiting', cell: ({ changedAt }) => time(changedAt) },
                {
                  title: 'col.reference',
                  cell: ({ id, reference }) => (
                    <Anchor component={Link} href={`/payments/${id}`}>
                      {reference}
                    </Anchor>
                  ),
                },
                { title: 'col.why', cell: ({ reason }) => (reason ? sayOr(`reason.${reason}`) : '') },
                { title: 'col.way', cell: ({ way }) => wayName(way) },
                {
                  title: 'review.promised',
                  cell: ({ promisedAt }) => (
                    <Text span inherit c={promisedAt < new Date().toISOString() ? 'red' : undefined}>
                      {time(promisedAt)}
                    </Text>
                  ),
                },
                { title: 'col.claimed', cell: ({ claimedBy }) => claimedBy ?? '' },
                {
                  title: 'review.proposal',
                  cell: ({ proposal }) => (proposal ? <ProposalLink id={proposal} /> : ''),
                },
                { title: 'col.amount', cell: (payment) => <PaymentAmount of={payment} />, isNumber: true },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}
