import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { billedAccount, maskAccount } from '@portal/domain/account-number.ts';
import { maskEmail } from '@portal/domain/email.ts';
import { decisionProblem, decisions } from '@portal/domain/payment/review-decisions.ts';
import { moneyState, wasTaken } from '@portal/domain/payment/shown-status.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import { type ConsoleHandlers, ConsoleRefusal } from '../../console/console.service.ts';
import { isStrangers } from '../../tickets/tickets.service.ts';
import type { Payment, StoredEvidence } from '../core/payments.store.ts';
import { type DeskContext, wayTo } from './desk-context.ts';
import { takenStated } from './payments.approvables.ts';
import * as desk from './payments.desk.store.ts';
import type { Proposals } from './payments.proposals.ts';
import { receiptIn, storyOf } from './payments.story.ts';

type Story = ConsoleResult<'payment'>;

/** Everything about one payment. Personal data is masked until revealed. */
export function paymentPage(context: DeskContext, { proposable }: Pick<Proposals, 'proposable'>) {
  const { db, payments, goodwill, leads, audit, tickets, statusUrl, now } = context;
  const { listed, number, hidden, existing, takesTwo, openProposal, hasOpenProposal, actsFor } = context;

  /** Open proposals about it. */
  async function proposed(id: string): Promise<Story['actions']['proposed']> {
    const kinds = ['refund', 'goodwill', 'goodwillEnd'] as const;
    const open = await Promise.all(kinds.map(async (kind) => ({ kind, id: await openProposal(id, kind) })));
    return open.flatMap(({ kind, id: proposal }) => (proposal ? { kind, id: proposal } : []));
  }

  /** The provider's last response, whatever state it led to. */
  function providerSide(evidence: StoredEvidence[]): Story['provider'] {
    const calls = ['start', 'enquire', 'refund', 'findRefund'];
    // A refund that was not found says nothing about the money.
    const last = evidence.findLast(
      ({ call, answer }) => calls.includes(call) && !(call === 'findRefund' && answer !== 'refunded'),
    );
    return {
      said: last?.answer ?? null,
      amount: last?.amount ?? null,
      currency: last?.currency ?? null,
      at: last?.at.toISOString() ?? null,
    };
  }

  async function deliverySide(payment: Payment): Promise<Story['delivery']> {
    const delivery = await desk.deliveryOf(db, payment.id);
    const at = delivery?.delivered_at ?? delivery?.refused_at ?? delivery?.sent_at ?? null;
    const isRefused = payment.reason === 'deliveryRefused' || delivery?.refused_at;
    const said = delivery?.delivered_at ? 'delivered' : isRefused ? 'refused' : delivery ? 'sent' : null;
    return { said, amount: null, currency: null, at: at?.toISOString() ?? null };
  }

  /** In these states the next due step is an enquiry. */
  function enquiryOf({ state, submitted_at, last_enquiry_at, due_at }: Payment, evidence: StoredEvidence[]) {
    const isAskedAgain = ['AWAITING_PAYER', 'UNKNOWN', 'FAILED'].includes(state) && submitted_at !== null;
    return {
      askedAt: last_enquiry_at?.toISOString() ?? null,
      said: evidence.findLast(({ call }) => call === 'enquire')?.answer ?? null,
      nextAt: (isAskedAgain ? due_at?.toISOString() : null) ?? null,
    };
  }

  return {
    async payment({ id }, signed) {
      const found = await existing(id);
      const { payment, changes } = found;
      const [evidence, delivery, claim, own, [owed]] = await Promise.all([
        payments.evidence(id),
        deliverySide(payment),
        desk.claimOf(db, id, now()),
        tickets.ofPayment(id),
        leads.owed(1, id),
      ]);
      const { account_id, invoice_number, email } = payment;
      const acts = actsFor(payment, signed);
      const openTicket = own.find((ticket) => ticket.state !== 'solved' && !isStrangers(ticket));
      const isAllowed = (decision: (typeof decisions)[number]) =>
        decisionProblem(changes, takenStated(payment), decision) === null &&
        !(decision === 'giveBack' && takesTwo(payment));
      return {
        ...listed(payment),
        description: payment.description,
        payer: payment.payer_msisdn && number(payment.payer_msisdn),
        email: email && maskEmail(email),
        account: account_id && maskAccount(account_id),
        invoice: invoice_number && maskAccount(invoice_number),
        billedAccount: wasTaken(moneyState(changes)) ? billedAccount(payment.details.item) : null,
        providerReference:
          evidence.findLast(({ call, receipt }) => receiptIn(receipt) !== null && ['start', 'enquire'].includes(call))
            ?.receipt ?? null,
        statusUrl: statusUrl(id, payment.language),
        provider: providerSide(evidence),
        enquiry: enquiryOf(payment, evidence),
        delivery,
        owedFor: owed?.id ?? null,
        events: await storyOf(id, { ...context, evidence }),
        actions: {
          ask: acts.includes('ask') || acts.includes('askInReview'),
          // A proposed refund must be decided first; until then `settle` refuses.
          decisions:
            acts.includes('settle') && !(await hasOpenProposal(id, 'refund')) ? decisions.filter(isAllowed) : [],
          receiptAgain: acts.includes('receiptAgain') ? wayTo(payment) : null,
          openTicket: acts.includes('openTicket') && openTicket === undefined,
          openedTicket: acts.includes('openTicket') ? (openTicket?.id ?? null) : null,
          propose: await proposable(found, signed),
          proposed: await proposed(id),
          stuckGoodwill:
            found.goodwill?.state === 'stuck' && signed.may('goodwill.settle')
              ? { isProposed: await hasOpenProposal(id, 'goodwillEnd') }
              : null,
          goodwillMost: goodwill.problemOf(found) === null ? goodwill.mostFor(payment) : null,
        },
        goodwill: found.goodwill,
        tickets: signed.may('tickets.read')
          ? own.map(({ id: ticket, state }) => ({ id: ticket, number: writeTicketNumber(ticket), state }))
          : [],
        // A claim does not matter once the payment is decided.
        claim:
          claim && payment.state === 'REVIEW'
            ? { by: claim.person, until: claim.until.toISOString(), isOwn: claim.person === signed.email }
            : null,
      };
    },

    async reveal({ id, field, reason }, signed) {
      const { payment } = await existing(id);
      const value = hidden(payment)[field];
      if (!value) throw new ConsoleRefusal('notFound');
      await audit.write(db, signed.actor, {
        act: 'payment.revealed',
        subject: { kind: 'payment', id },
        after: { field },
        reason,
      });
      return { value };
    },
  } satisfies ConsoleHandlers;
}
