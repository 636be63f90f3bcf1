import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { Permission } from '@portal/contract/console/permissions.ts';
import { fromWire, groupNational, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { type DeskAct, deskActsOf } from '@portal/domain/payment/desk-acts.ts';
import { takenOf, takenOtherwise } from '@portal/domain/payment/ledger.ts';
import type { Kysely } from 'kysely';
import { type Approvals, type FourEyes, needsTwo } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import { type Console, ConsoleRefusal, type Signed } from '../../console/console.service.ts';
import type { Schema } from '../../db/schema.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Notices } from '../../notices/notices.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { Tickets } from '../../tickets/tickets.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import type { Payment } from '../core/payments.store.ts';
import type { Goodwill, Payments } from '../payments.service.ts';

type Listed = ConsoleResult<'find'>['payments'][number];

export interface PaymentsDesk {
  db: Kysely<Schema>;
  payments: Payments;
  goodwill: Goodwill;
  risk: Pick<Risk, 'decisionsOf'>;
  leads: Pick<Leads, 'search' | 'owed'>;
  audit: Audit;
  approvals: Approvals;
  fourEyes: FourEyes;
  console: Pick<Console, 'isProved'>;
  ways: Ways;
  tickets: Pick<Tickets, 'find' | 'ofPayment' | 'messagesOf' | 'waiting'>;
  notices: Pick<Notices, 'repeat' | 'sentAbout'>;
  pack: OperatorPack;
  /** The customer's status page of a payment, which the console links to. */
  statusUrl: (id: string, locale: string) => string;
  now: () => Date;
}

export type DeskContext = ReturnType<typeof deskContext>;

/** Shared by all desk handlers: how a payment is listed, and which acts it allows. */
export function deskContext(deps: PaymentsDesk) {
  const { payments, approvals, fourEyes, pack } = deps;
  const { numbering } = pack;
  const number = (wire: Payment['msisdn'] | null) => (wire ? maskNational(fromWire(wire), numbering.groups) : '');

  /** Masked until the user gives a reason to reveal it. */
  const hidden = (payment: Payment) => ({
    number: payment.msisdn && groupNational(fromWire(payment.msisdn), numbering.groups),
    payer: payment.payer_msisdn && groupNational(fromWire(payment.payer_msisdn), numbering.groups),
    email: payment.email,
    account: payment.account_id,
    invoice: payment.invoice_number,
  });

  const wayName = (gateway: string) => pack.methods.find((method) => method.gateway === gateway)?.name ?? gateway;

  const listed = (payment: Payment): Listed => ({
    id: payment.id,
    reference: payment.short_reference,
    state: payment.state,
    reason: payment.reason,
    type: payment.transaction_type,
    way: wayName(payment.gateway),
    amount: payment.amount,
    currency: payment.currency,
    taken: takenOtherwise(payment),
    number: number(payment.msisdn),
    createdAt: payment.created_at.toISOString(),
    changedAt: payment.changed_at.toISOString(),
  });

  async function existing(id: string) {
    const found = await payments.find(id);
    if (!found) throw new ConsoleRefusal('notFound');
    return found;
  }

  const takesTwo = (payment: Payment) => needsTwo(fourEyes, takenOf(payment));

  type Proposable = 'refund' | 'goodwill' | 'goodwillEnd';
  const openProposal = (id: string, kind: Proposable) => approvals.openOf({ kind: 'payment', id }, kind);
  const hasOpenProposal = async (id: string, kind: Proposable) => (await openProposal(id, kind)) !== null;

  /** The acts that both the payment's state and the user's roles allow. */
  function actsFor({ state, submitted_at }: Payment, signed: Signed): readonly DeskAct[] {
    const acts = deskActsOf({ state, wasSent: submitted_at !== null });
    return acts.filter((act) => signed.may(actPermissions[act]));
  }

  return { ...deps, number, hidden, wayName, listed, existing, takesTwo, openProposal, hasOpenProposal, actsFor };
}

const actPermissions = {
  ask: 'payments.ask',
  askInReview: 'review.ask',
  settle: 'review.settle',
  receiptAgain: 'payments.receipt',
  openTicket: 'tickets.answer',
} as const satisfies Record<DeskAct, Permission>;

/** The channel for messages to the payer. */
export const wayTo = ({ email }: Payment) => (email ? ('mail' as const) : ('sms' as const));
