import { Anchor, Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ticketText } from '@portal/domain/ticket.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { toldAs } from '../lib/notified-channels.ts';
import { readMoney } from '../lib/read-money.ts';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useSideWords } from '../lib/use-side-words.ts';
import { useStateWords } from '../lib/use-state-words.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import type { Story } from './payment-rows.ts';

type Decision = Story['actions']['decisions'][number];
type Proposed = Story['actions']['propose'][number];

export const actionsId = 'actions';

/** Only the actions that this state and this person's roles allow. */
export function PaymentActions({ payment }: { payment: Story }) {
  const stateWords = useStateWords();
  const language = useLanguage();
  const { say, sayOr } = language;
  const { hour } = useFormat();
  const sideWords = useSideWords();
  const queries = useQueryClient();
  const [deciding, setDeciding] = useState<Decision | null>(null);
  const [proposing, setProposing] = useState<Proposed | null>(null);
  const { id, reference, claim, actions } = payment;
  // The success message follows the reload: a layout shift during a press would lose the click.
  const reload = () => queries.invalidateQueries({ queryKey: ['payment', id] });
  const ask = useAct({
    mutationFn: () => call('ask', { id }),
    onSuccess: async () => {
      await reload();
      notifications.show({ message: say(payment.state === 'REVIEW' ? 'payment.asked' : 'payment.askedSoon') });
    },
    onError: () => void reload(),
  });
  const take = useAct({ mutationFn: (isTaken: boolean) => call('claim', { id, isTaken }), onSettled: reload });
  const receipt = useAct({
    mutationFn: () => call('receiptAgain', { id }),
    onSuccess: async () => {
      await reload();
      notifications.show({ message: say('payment.receiptSent') });
    },
    onError: () => void reload(),
  });
  const isFree = claim === null || claim.isOwn;
  const canDecide = actions.decisions.length > 0;
  const canAct =
    canDecide ||
    actions.ask ||
    actions.stuckGoodwill !== null ||
    actions.receiptAgain !== null ||
    actions.openTicket ||
    actions.openedTicket !== null ||
    actions.propose.length > 0 ||
    actions.proposed.length > 0;
  return (
    <Card withBorder component="section" aria-label={say('payment.actions')} id={actionsId}>
      <Title order={2} size="h4" mb="xs">
        {say('payment.actions')}
      </Title>
      <Stack>
        {payment.state === 'REVIEW' && <Text size="sm">{say('payment.waits')}</Text>}
        {payment.owedFor && (
          <Text size="sm" fw={600}>
            {say('payment.owedFor')}{' '}
            <Anchor component={Link} href={`/leads/${payment.owedFor}`} inherit style={{ overflowWrap: 'anywhere' }}>
              {payment.owedFor}
            </Anchor>
          </Text>
        )}
        {!canAct && !payment.owedFor && <Text size="sm">{say('payment.noActions')}</Text>}
        {claim && (
          <Text size="sm" fw={600}>
            {claim.isOwn
              ? say('payment.claimed', { time: hour(claim.until) })
              : say('payment.claimedBy', { person: claim.by, time: hour(claim.until) })}
          </Text>
        )}
        {canDecide && isFree && (
          <Button variant="default" onClick={() => take.mutate(!claim)} loading={take.isPending}>
            {say(claim ? 'payment.letGo' : 'payment.claim')}
          </Button>
        )}
        {actions.ask && isFree && (
          <Button variant="default" onClick={() => ask.mutate()} loading={ask.isPending}>
            {say('payment.ask')}
          </Button>
        )}
        {ask.data?.said && (
          <Text size="sm" role="status">
            {say('payment.answered')} {sideWords(ask.data.said)}
          </Text>
        )}
        {isFree &&
          actions.decisions.map((decision) => (
            <Stack key={decision} gap={4}>
              <Button variant="light" onClick={() => setDeciding(decision)}>
                {sayOr(`decision.${decision}`)}
              </Button>
              <Text size="xs" c="dimmed">
                {sayOr(`decision.${decision}.text`)}
              </Text>
            </Stack>
          ))}
        {actions.propose.map((kind) => (
          <Stack key={kind} gap={4}>
            <Button variant="light" onClick={() => setProposing(kind)}>
              {say(`propose.${kind}`)}
            </Button>
            <Text size="xs" c="dimmed">
              {say(`propose.${kind}.text`)}
            </Text>
          </Stack>
        ))}
        {actions.proposed.map((proposal) => (
          <Text key={proposal.id} size="sm" fw={600}>
            {say('payment.proposalWaits', { what: say(`approvals.kind.${proposal.kind}`) })}{' '}
            <Anchor component={Link} href={`/approvals/${proposal.id}`} inherit>
              {say('payment.toProposal')}
            </Anchor>
          </Text>
        ))}
        {actions.stuckGoodwill && <StuckGoodwill payment={payment} reload={reload} />}
        {actions.receiptAgain && (
          <Button variant="default" onClick={() => receipt.mutate()} loading={receipt.isPending}>
            {say(`payment.receiptAgain.${actions.receiptAgain}`)}
          </Button>
        )}
        <TicketAction payment={payment} />
        {[ask.error, take.error, receipt.error].filter(Boolean).map((problem) => (
          <ProblemBox key={String(problem)} problem={problem} />
        ))}
      </Stack>
      {proposing && <Proposing payment={payment} kind={proposing} close={() => setProposing(null)} reload={reload} />}
      {deciding && (
        <ReasonDialog
          title={say('payment.settleTitle', { reference })}
          text={`${sayOr(`decision.${deciding}`)}. ${sayOr(`decision.${deciding}.text`)}`}
          action={say('payment.settle')}
          close={() => setDeciding(null)}
          draft={`settle ${id}`}
          act={async (reason) => {
            const { state } = await call('settle', { id, as: deciding, reason });
            await reload();
            notifications.show({ message: say('payment.settleDone', { state: stateWords(state, payment.type) }) });
          }}
        />
      )}
    </Card>
  );
}

/** A second person has to approve it, on the basis of this reason. */
function Proposing({
  payment: { id, reference, provider, actions },
  kind,
  close,
  reload,
}: {
  payment: Story;
  kind: Proposed;
  close: () => void;
  reload: () => Promise<void>;
}) {
  const { say } = useLanguage();
  const { money, digits } = useFormat();
  const [amount, setAmount] = useState('');
  const most = kind === 'goodwill' ? actions.goodwillMost : null;
  const goesBack =
    kind === 'refund' && provider.amount !== null && provider.currency !== null
      ? `${money(provider.amount, provider.currency)}.`
      : '';
  /** Checked here as on the server, before a step-up is asked for. */
  function readAmount({ amount: limit, currency }: NonNullable<typeof most>): number {
    const read = readMoney(amount, digits(currency));
    if ('problem' in read) throw new Problem(read.problem, { field: 'amount' });
    if (read.amount <= limit) return read.amount;
    const parameters = { most: { amount: limit, currency, digits: digits(currency) } };
    throw new Problem('amountTooHigh', { field: 'amount', parameters });
  }
  return (
    <ReasonDialog
      title={`${say(`propose.${kind}`)} · ${reference}`}
      text={[goesBack, say(`propose.${kind}.text`)].filter(Boolean).join(' ')}
      action={say('propose.button')}
      close={close}
      draft={`propose ${kind} ${id}`}
      act={async (reason) => {
        if (most) await call('proposeGoodwill', { id, amount: readAmount(most), reason });
        else await call('proposeRefund', { id, reason });
        await reload();
        notifications.show({ message: say('propose.done') });
      }}
      fields={['amount']}
    >
      {(wrong) =>
        most && (
          <TextInput
            label={say('propose.amount')}
            description={say('propose.amountHint', { amount: money(most.amount, most.currency) })}
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
            error={wrong('amount')}
            inputMode="decimal"
            autoComplete="off"
            required
          />
        )
      }
    </ReasonDialog>
  );
}

/** A goodwill credit with an unknown outcome: only what the charging system answers can be recorded. */
function StuckGoodwill({ payment: { id, actions }, reload }: { payment: Story; reload: () => Promise<unknown> }) {
  const { say } = useLanguage();
  const [isEnding, ending] = useDisclosure();
  const ask = useAct({ mutationFn: () => call('askGoodwill', { id }), onSettled: reload });
  const answer = ask.data?.answer;
  return (
    <Stack gap={4}>
      <Text size="sm">{say('stuck.text')}</Text>
      <Button variant="default" onClick={() => ask.mutate()} loading={ask.isPending}>
        {say('stuck.ask')}
      </Button>
      {answer && <Text role="status">{say(`stuck.${answer}`)}</Text>}
      {ask.error && <ProblemBox problem={ask.error} />}
      {actions.stuckGoodwill?.isProposed ? (
        <Text size="sm">{say('stuck.proposed')}</Text>
      ) : (
        answer === 'notFound' && (
          <Button variant="light" onClick={ending.open}>
            {say('stuck.end')}
          </Button>
        )
      )}
      {isEnding && (
        <ReasonDialog
          title={say('stuck.end')}
          text={say('stuck.endText')}
          action={say('stuck.end')}
          close={ending.close}
          draft={`end goodwill ${id}`}
          act={(reason) => call('proposeGoodwillEnd', { id, reason }).then(reload)}
        />
      )}
    </Stack>
  );
}

/** Opens a ticket about the payment, or links to the open one. */
function TicketAction({ payment: { id, reference, actions } }: { payment: Story }) {
  const { say } = useLanguage();
  const [isOpening, opening] = useDisclosure();
  const [, go] = useLocation();
  return (
    <>
      {actions.openTicket && (
        <Button variant="default" onClick={opening.open}>
          {say('payment.openTicket')}
        </Button>
      )}
      {actions.openedTicket && (
        <Button variant="default" onClick={() => go(`/tickets/${actions.openedTicket}`)}>
          {say('payment.goToTicket')}
        </Button>
      )}
      {isOpening && (
        <ReasonDialog
          title={say('ticket.openTitle', { reference })}
          text={say('ticket.openText')}
          action={say('payment.openTicket')}
          close={opening.close}
          draft={`ticket ${id}`}
          field={{ label: say('ticket.message'), hint: say('ticket.messageHint'), most: ticketText.most }}
          act={async (text) => {
            const opened = await call('openTicket', { payment: id, text });
            notifications.show({ message: say(`ticket.sent.${toldAs(opened.toldBy)}`) });
            go(`/tickets/${opened.id}`);
          }}
        />
      )}
    </>
  );
}
