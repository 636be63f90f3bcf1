import { Anchor, Badge, Card, Grid, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import type { ConsoleInput } from '@portal/contract/console/contract.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useActWords } from '../lib/use-act-words.ts';
import { useFormat } from '../lib/use-format.ts';
import { useSideWords } from '../lib/use-side-words.ts';
import { useStateWords } from '../lib/use-state-words.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MaskedValue } from '../ui/masked-value.tsx';
import { PaymentAmount } from '../ui/payment-amount.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { TicketBadge } from '../ui/ticket-badge.tsx';
import { actionsId, PaymentActions } from './payment-actions.tsx';
import type { Story } from './payment-rows.ts';

const creditColours: Record<string, string> = { given: 'teal', unknown: 'yellow', stuck: 'red' };

/** Everything about one payment. On a phone the actions come last: evidence before decision. */
export function PaymentPage() {
  const { id = '' } = useParams<{ id: string }>();
  const story = useQuery({
    queryKey: ['payment', id],
    queryFn: () => call('payment', { id }),
    refetchInterval: 10_000,
  });
  return <Loaded query={story}>{(payment) => <PaymentStory payment={payment} />}</Loaded>;
}

function PaymentStory({ payment }: { payment: Story }) {
  const { say, sayOr } = useLanguage();
  const { money } = useFormat();
  return (
    <Stack>
      <Group justify="space-between">
        <Stack gap={4}>
          <Title order={1}>{say('payment.title', { reference: payment.reference })}</Title>
          <Group>
            <StateBadge state={payment.state} type={payment.type} />
            {payment.reason && (
              <Badge variant="outline" tt="none">
                {sayOr(`reason.${payment.reason}`)}
              </Badge>
            )}
            {payment.goodwill && (
              <Badge variant="light" color={creditColours[payment.goodwill.state] ?? 'indigo'} tt="none" size="lg">
                {say('payment.goodwill', {
                  amount: money(payment.goodwill.amount, payment.goodwill.currency),
                  state: sayOr(`outcome.goodwill.${payment.goodwill.state}`),
                })}
              </Badge>
            )}
          </Group>
        </Stack>
        <Text fz={payment.taken ? 20 : 28} fw={payment.taken ? undefined : 700}>
          <PaymentAmount of={payment} />
        </Text>
      </Group>
      <Anchor href={`#${actionsId}`} hiddenFrom="lg" size="sm">
        {say('payment.toActions')}
      </Anchor>
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Facts payment={payment} />
            <Sides payment={payment} />
            <Events payment={payment} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <PaymentActions payment={payment} />
            <Tickets payment={payment} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Tickets({ payment }: { payment: Story }) {
  const { say } = useLanguage();
  if (payment.tickets.length === 0) return null;
  return (
    <Card withBorder component="section" aria-label={say('payment.tickets')}>
      <Title order={2} size="h4" mb="xs">
        {say('payment.tickets')}
      </Title>
      <Stack gap="xs">
        {payment.tickets.map(({ id, number, state }) => (
          <Group key={id} justify="space-between">
            <Anchor component={Link} href={`/tickets/${id}`}>
              {number}
            </Anchor>
            <TicketBadge state={state} />
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function Facts({ payment }: { payment: Story }) {
  const wayName = useWayName();
  const { say, sayOr } = useLanguage();
  const { time, money } = useFormat();
  const hidden = (field: ConsoleInput<'reveal'>['field']) =>
    payment[field] && (
      <MaskedValue
        masked={payment[field]}
        permission="payments.reveal"
        draft={payment.id}
        reveal={(reason) => call('reveal', { id: payment.id, field, reason })}
      />
    );
  const rows = [
    [say('col.when'), time(payment.createdAt)],
    [say('payment.type'), [sayOr(`type.${payment.type}`), payment.description].filter(Boolean).join(' · ')],
    [say('col.way'), wayName(payment.way)],
    [say('payment.recipient'), hidden('number')],
    [say('payment.payer'), hidden('payer')],
    [say('payment.email'), hidden('email')],
    [say('payment.account'), hidden('account') || payment.billedAccount],
    [say('payment.invoice'), hidden('invoice')],
    [say('payment.receipt'), payment.providerReference],
    [
      say('approvals.kind.goodwill'),
      payment.goodwill &&
        `${money(payment.goodwill.amount, payment.goodwill.currency)} · ${sayOr(`outcome.goodwill.${payment.goodwill.state}`)}`,
    ],
    [say('payment.id'), payment.id],
  ] as const;
  return (
    <Card withBorder component="section" aria-label={say('payment.facts')}>
      <Title order={2} size="h4" mb="xs">
        {say('payment.facts')}
      </Title>
      <FactTable rows={rows} />
      <Anchor href={payment.statusUrl} target="_blank" rel="noreferrer" mt="sm" size="sm">
        {say('payment.customerPage')}
      </Anchor>
    </Card>
  );
}

function Sides({ payment }: { payment: Story }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const words = useSideWords();
  const stateWords = useStateWords();
  const { askedAt, said, nextAt } = payment.enquiry;
  const sides = [
    [say('payment.ours'), stateWords(payment.state, payment.type)],
    [say('payment.provider'), words(payment.provider)],
    [
      say('payment.lastAsked'),
      askedAt && `${time(askedAt)} · ${said === null ? say('payment.noAnswerYet') : sayOr(`side.${said}`)}`,
    ],
    [say('payment.askedNext'), nextAt && time(nextAt)],
    [say('payment.delivery'), words(payment.delivery)],
  ] as const;
  return (
    <Card withBorder component="section" aria-label={say('payment.sides')}>
      <Title order={2} size="h4" mb="xs">
        {say('payment.sides')}
      </Title>
      <FactTable rows={sides} />
    </Card>
  );
}

function Events({ payment }: { payment: Story }) {
  const { say, sayOr } = useLanguage();
  const { time, money } = useFormat();
  const actWords = useActWords();
  /** Our own errors are translated; another system's message is quoted. */
  const quoted = (quote: string) => {
    const ours = (['TimeoutError', 'SocketError'] as const).find((one) => one === quote);
    return ours ? say(`broken.${ours}`) : say('payment.quoted', { words: quote });
  };
  const what = ({ kind, what: code }: Story['events'][number]) =>
    kind === 'audit' ? actWords(code) : sayOr(`${kind}.${code}`);
  return (
    <Card withBorder component="section" aria-label={say('payment.story')}>
      <Title order={2} size="h4" mb="md">
        {say('payment.story')}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={payment.events.length - 1}>
        {payment.events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only appended.
          <Timeline.Item key={index} title={what(event)}>
            <Text size="sm">
              {[
                event.amount !== null && event.currency ? money(event.amount, event.currency) : '',
                ...event.codes.map(sayOr),
                event.by ?? '',
                event.proposed
                  ? say('payment.proposedBy', { person: event.proposed.by, reason: event.proposed.reason })
                  : '',
                event.detail ?? '',
                event.quote ? quoted(event.quote) : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            <Text size="xs" c="dimmed">
              {time(event.at)} · {sayOr(`kind.${event.kind}`)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  );
}
