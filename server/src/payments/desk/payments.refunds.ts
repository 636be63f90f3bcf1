import { takenOf } from '@portal/domain/payment/ledger.ts';
import { decisionProblem } from '@portal/domain/payment/settle.ts';
import type { Approvable, Approval, Known } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import { ConsoleRefusal } from '../../console/console.service.ts';
import type { Change, Executor, Payment, PaymentRecord, StoredEvidence } from '../core/payments.store.ts';
import { type Goodwill, GoodwillRefused } from '../goodwill/payments.goodwill.ts';
import { type Deciding, DecisionRefused } from '../review/payments.review.ts';

/** What is asked of payments here. */
interface Settling {
  find(id: string): Promise<PaymentRecord | undefined>;
  evidence(id: string): Promise<StoredEvidence[]>;
  decide(id: string, deciding: Deciding): Promise<Payment>;
}

/** Why what was taken cannot be given back by a decision now, in words; null where it can. */
export const refundProblem = (payment: Payment, changes: readonly Change[]): string | null =>
  decisionProblem(changes, takenStated(payment), 'giveBack');

export const takenStated = (payment: Payment): { isAsAsked: boolean } | null =>
  payment.taken_amount === null
    ? null
    : { isAsAsked: payment.taken_amount === payment.amount && payment.taken_currency === payment.currency };

/** Whatever it is refused for, in the words of the area that refused it. */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DecisionRefused || error instanceof GoodwillRefused)
      throw new ConsoleRefusal('notPossible', { detail: error.message });
    throw error;
  }
}

const known = (
  what: string,
  detail: string | null,
  money: { amount: number; currency: string } | null = null,
): Known => ({
  what,
  detail,
  amount: money?.amount ?? null,
  currency: money?.currency ?? null,
});

/** What is known of a payment that somebody wants to decide about. */
async function knownOf(payments: Pick<Settling, 'find' | 'evidence'>, id: string): Promise<Known[]> {
  const [found, evidence] = await Promise.all([payments.find(id), payments.evidence(id)]);
  if (!found) return [];
  const { payment } = found;
  const last = evidence.findLast(({ call }) => call === 'start' || call === 'enquire');
  const brought = evidence.findLast(({ call }) => call === 'deliver' || call === 'findDelivery');
  return [
    known('state', payment.state),
    known('asked', null, payment),
    ...(payment.taken_amount === null ? [] : [known('taken', null, takenOf(payment))]),
    ...(last ? [known('provider', last.answer)] : []),
    ...(brought ? [known('delivery', brought.answer)] : []),
  ];
}

/** What waits for a person goes back to whom it was taken from, by the payment's own rules. */
export function refunds(payments: Settling, audit: Pick<Audit, 'write'>): Approvable {
  return {
    propose: 'refund.propose',
    approve: 'refund.approve',
    evidence: ({ subject_id }) => knownOf(payments, subject_id),
    async outcomes(ids) {
      return new Map(ids.map((id) => [id, 'refund.sent']));
    },
    async carryOut({ subject_id: id, id: proposal, reason }: Approval, by, decide) {
      await orRefused(() =>
        payments.decide(id, {
          as: 'giveBack',
          by: by.email,
          note: reason,
          async record(transaction, { state }) {
            await decide(transaction);
            await audit.write(transaction, by.actor, {
              act: 'payment.settled',
              subject: { kind: 'payment', id },
              before: { state: 'REVIEW' },
              after: { state, as: 'giveBack', proposal },
              reason,
            });
          },
        }),
      );
    },
  };
}

/** Airtime on top for the line that got a purchase; the payment itself stays delivered. */
export function goodwillCredits(db: Executor, payments: Settling, goodwill: Goodwill): Approvable {
  return {
    propose: 'goodwill.propose',
    approve: 'goodwill.approve',
    evidence: ({ subject_id }) => knownOf(payments, subject_id),
    async outcomes(ids) {
      return new Map([...(await goodwill.states(ids))].map(([id, state]) => [id, `goodwill.${state}`]));
    },
    carryOut: ({ id: approvalId, subject_id, payload: { amount, currency } }, _by, decide) =>
      orRefused(() =>
        db.transaction().execute(async (transaction) => {
          await decide(transaction);
          await goodwill.grant(transaction, subject_id, { approvalId, amount: amount ?? 0, currency: currency ?? '' });
        }),
      ),
  };
}
