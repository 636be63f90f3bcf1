import { Alert, Anchor, Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { ticketText } from '@portal/domain/ticket.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useParams } from 'wouter';
import { call, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { toldAs } from '../lib/notified-channels.ts';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { LongText } from '../ui/long-text.tsx';
import { PaymentAmount } from '../ui/payment-amount.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { isStrangers, writtenBy } from '../ui/ticket-author.ts';
import { TicketBadge } from '../ui/ticket-badge.tsx';
import { wrapped } from '../ui/wrapped.tsx';

type Ticket = ConsoleResult<'ticket'>;

/** A conversation with a customer, and the payment it is about. */
export function TicketPage() {
  const { id = '' } = useParams<{ id: string }>();
  const ticket = useQuery({ queryKey: ['ticket', id], queryFn: () => call('ticket', { id }), refetchInterval: 10_000 });
  const { say } = useLanguage();
  return (
    <Loaded query={ticket}>
      {(loaded) => (
        <Stack>
          <Stack gap={4}>
            <Title order={1}>{say('ticket.title', { number: loaded.number })}</Title>
            <Group>
              <TicketBadge state={loaded.state} />
            </Group>
          </Stack>
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                {isStrangers(loaded) && (
                  <Alert color="yellow" variant="light" role="note">
                    {say('ticket.stranger')}
                  </Alert>
                )}
                <Conversation ticket={loaded} />
                <Acts ticket={loaded} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Facts ticket={loaded} />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Loaded>
  );
}

function Conversation({ ticket }: { ticket: Ticket }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const authorOf = (author: Ticket['openedBy']) => say(writtenBy(author, isStrangers(ticket)));
  return (
    <Card withBorder component="section" aria-label={say('ticket.conversation')}>
      <Title order={2} size="h4" mb="md">
        {say('ticket.conversation')}
      </Title>
      <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {ticket.messages.map(({ at, author, person, writer, said, text }) => (
          <Stack component="li" key={`${at} ${author}`} gap={2}>
            <Text size="xs" c="dimmed">
              {[authorOf(author), writer, person, time(at)].filter(Boolean).join(' · ')}
            </Text>
            <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {said ? sayOr(`ticket.said.${said}`) : wrapped(text ?? <em>{say('ticket.erased')}</em>)}
            </Text>
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}

function Facts({ ticket }: { ticket: Ticket }) {
  const { say } = useLanguage();
  const { time, span } = useFormat();
  const { payment, paymentId, reference, openedAt, promisedAt, answeredAt, solvedAt, openedBy } = ticket;
  const rows = [
    [
      say('col.reference'),
      <Anchor key="payment" component={Link} href={`/payments/${paymentId}`}>
        {reference}
      </Anchor>,
    ],
    [say('col.state'), <StateBadge key="state" state={payment.state} />],
    [say('col.amount'), <PaymentAmount key="sum" of={payment} />],
    [say('col.number'), payment.number],
    [say('col.openedBy'), say(writtenBy(openedBy, isStrangers(ticket)))],
    [say('col.when'), time(openedAt)],
    [say('col.promised'), time(promisedAt)],
    [say('col.firstAnswer'), span(openedAt, answeredAt)],
    [say('col.solution'), span(openedAt, solvedAt)],
  ] as const;
  return (
    <Card withBorder component="section" aria-label={say('ticket.payment')}>
      <Title order={2} size="h4" mb="xs">
        {say('ticket.payment')}
      </Title>
      <FactTable rows={rows} />
    </Card>
  );
}

/** The draft is kept until it is sent, so a conflict loses nothing. */
function Acts({ ticket }: { ticket: Ticket }) {
  const { say } = useLanguage();
  const may = useMay();
  const queries = useQueryClient();
  const draft = `answer ${ticket.id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(draft) ?? '');
  const [isReopening, setReopening] = useState(false);
  const { id, version, number } = ticket;
  const told = isStrangers(ticket) ? 'stranger' : toldAs(ticket.toldBy);
  const reload = () => queries.invalidateQueries({ queryKey: ['ticket', id] });
  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(draft, next);
  };
  const answer = useAct({
    mutationKey: ['ticket', id],
    mutationFn: () => call('answerTicket', { id, version, text }),
    onSuccess: async () => {
      await reload();
      change('');
      notifications.show({ message: say(`ticket.sent.${told}`) });
    },
    onError: () => void reload(),
  });
  const solve = useAct({
    mutationKey: ['ticket', id],
    mutationFn: () => call('solveTicket', { id, version }),
    onSuccess: async () => {
      await reload();
      notifications.show({ message: say('ticket.solvedDone') });
    },
    onError: () => void reload(),
  });
  if (!may('tickets.answer')) return null;
  if (ticket.state === 'solved')
    return (
      <Group>
        <Button variant="default" onClick={() => setReopening(true)}>
          {say('ticket.reopen')}
        </Button>
        {isReopening && (
          <ReasonDialog
            title={say('ticket.reopenTitle', { number })}
            text={say('ticket.reopenText')}
            action={say('ticket.reopen')}
            close={() => setReopening(false)}
            draft={`reopen ${id}`}
            act={async (reason) => {
              await call('reopenTicket', { id, version, reason }).finally(reload);
            }}
          />
        )}
      </Group>
    );

  function submit(event: FormEvent) {
    event.preventDefault();
    answer.mutate();
  }
  const problems = [answer.error, solve.error].filter((error): error is Problem => error instanceof Problem);
  return (
    <Card withBorder>
      <form onSubmit={submit}>
        <Stack>
          <LongText
            label={say('ticket.answer')}
            description={say(`ticket.reads.${told}`)}
            value={text}
            change={change}
            minLength={ticketText.least}
            most={ticketText.most}
            autosize
            minRows={3}
            required
          />
          {problems.map((problem) => (
            <ProblemBox key={problem.code} problem={problem} />
          ))}
          <Group justify="space-between">
            <Button
              variant="default"
              onClick={() => solve.mutate()}
              loading={solve.isPending}
              // Disabled while there is an unsent text, which would be lost.
              disabled={text.trim() !== ''}
            >
              {say('ticket.solve')}
            </Button>
            <Button type="submit" loading={answer.isPending}>
              {say('ticket.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
