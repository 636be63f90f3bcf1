import { Button, Card, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ticketText } from '@portal/domain/ticket.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import type { Story } from './payment-rows.ts';

type Decision = Story['actions']['decisions'][number];
type Proposed = Story['actions']['propose'][number];

/** Only what this state and this person's roles allow. */
export function PaymentActions({ payment }: { payment: Story }) {
  const language = useLanguage();
  const { say, sayOr } = language;
  const { hour } = useFormat();
  const queries = useQueryClient();
  const [deciding, setDeciding] = useState<Decision | null>(null);
  const [proposing, setProposing] = useState<Proposed | null>(null);
  const [isOpening, opening] = useDisclosure();
  const [, go] = useLocation();
  const { id, reference, claim, actions } = payment;
  const reload = () => queries.invalidateQueries({ queryKey: ['payment', id] });
  const ask = useMutation({
    mutationFn: () => call('ask', { id }),
    onSuccess: () =>
      notifications.show({ message: say(payment.state === 'REVIEW' ? 'payment.asked' : 'payment.askedSoon') }),
    onSettled: reload,
  });
  const take = useMutation({ mutationFn: (isTaken: boolean) => call('claim', { id, isTaken }), onSettled: reload });
  const receipt = useMutation({
    mutationFn: () => call('receiptAgain', { id }),
    onSuccess: () => notifications.show({ message: say('payment.receiptSent') }),
    onSettled: reload,
  });
  const isFree = claim === null || claim.isOwn;
  const canDecide = actions.decisions.length > 0;
  const canAct = canDecide || actions.ask || actions.receiptAgain !== null || actions.openTicket;
  return (
    <Card withBorder component="section" aria-label={say('payment.actions')}>
      <Title order={2} size="h4" mb="xs">
        {say('payment.actions')}
      </Title>
      <Stack>
        {payment.state === 'REVIEW' && <Text size="sm">{say('payment.waits')}</Text>}
        {!canAct && <Text size="sm">{say('payment.noActions')}</Text>}
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
        {actions.receiptAgain && (
          <Button variant="default" onClick={() => receipt.mutate()} loading={receipt.isPending}>
            {say(`payment.receiptAgain.${actions.receiptAgain}`)}
          </Button>
        )}
        {actions.openTicket && (
          <Button variant="default" onClick={opening.open}>
            {say('payment.openTicket')}
          </Button>
        )}
        {[ask.error, take.error, receipt.error].filter(Boolean).map((problem) => (
          <ProblemBox key={String(problem)} problem={problem} />
        ))}
      </Stack>
      {proposing && <Proposing payment={payment} kind={proposing} close={() => setProposing(null)} reload={reload} />}
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
            go(`/tickets/${opened.id}`);
          }}
        />
      )}
      {deciding && (
        <ReasonDialog
          title={say('payment.settleTitle', { reference })}
          text={`${sayOr(`decision.${deciding}`)}. ${sayOr(`decision.${deciding}.text`)}`}
          action={say('payment.settle')}
          close={() => setDeciding(null)}
          draft={`settle ${id}`}
          act={async (reason) => {
            const { state } = await call('settle', { id, as: deciding, reason });
            notifications.show({ message: say('payment.settleDone', { state: sayOr(`state.${state}`) }) });
            await reload();
          }}
        />
      )}
    </Card>
  );
}

/** Somebody else has to approve it, so the reason is what they decide by. */
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
  const [amount, setAmount] = useState<number | string>('');
  const most = kind === 'goodwill' ? actions.goodwillMost : null;
  const goesBack =
    kind === 'refund' && provider.amount !== null && provider.currency !== null
      ? `${money(provider.amount, provider.currency)}.`
      : '';
  const scale = 10 ** digits(most?.currency ?? '');
  return (
    <ReasonDialog
      title={`${say(`propose.${kind}`)} · ${reference}`}
      text={[goesBack, say(`propose.${kind}.text`)].filter(Boolean).join(' ')}
      action={say('propose.button')}
      close={close}
      draft={`propose ${kind} ${id}`}
      act={async (reason) => {
        if (most) await call('proposeGoodwill', { id, amount: Math.round(Number(amount) * scale), reason });
        else await call('proposeRefund', { id, reason });
        notifications.show({ message: say('propose.done') });
        await reload();
      }}
    >
      {most && (
        <NumberInput
          label={say('propose.amount')}
          description={say('propose.amountHint', { amount: money(most.amount, most.currency) })}
          value={amount}
          onChange={setAmount}
          min={1 / scale}
          max={most.amount / scale}
          decimalScale={digits(most.currency)}
          clampBehavior="none"
          hideControls
          required
        />
      )}
    </ReasonDialog>
  );
}
