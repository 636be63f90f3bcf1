import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import { takenOf, takenOtherwise } from '@portal/domain/payment/ledger.ts';
import { type DecisionProblem, decisionProblem } from '@portal/domain/payment/review-decisions.ts';
import type { Approvable, Approval, Fact, Overtaken } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import { ConsoleRefusal } from '../../console/console.service.ts';
import type { Change, Executor, Payment, PaymentRecord, StoredEvidence } from '../core/payments.store.ts';
import { type Goodwill, type GoodwillProblem, GoodwillRefused } from '../goodwill/payments.goodwill.ts';
import { type Deciding, DecisionRefused } from '../review/payments.review.ts';

/** The part of the payments service used here. */
interface Settling {
  find(id: string): Promise<PaymentRecord | undefined>;
  evidence(id: string): Promise<StoredEvidence[]>;
  decide(id: string, deciding: Deciding): Promise<Payment>;
}

/** Why the payment cannot be refunded by a decision now; null if it can. */
export const refundProblem = (payment: Payment, changes: readonly Change[]): DecisionProblem | null =>
  decisionProblem(changes, takenStated(payment), 'giveBack');

export const takenStated = (payment: Payment): { isAsAsked: boolean } | null =>
  payment.taken_amount === null ? null : { isAsAsked: takenOtherwise(payment) === null };

/** Turns every kind of refusal into a refusal of the console. */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DecisionRefused || error instanceof GoodwillRefused) throw new ConsoleRefusal(error.code);
    throw error;
  }
}

/** Why a proposal cannot be carried out any more, as its page shows it. */
const overtakenBy = (code: DecisionProblem | GoodwillProblem | null): Overtaken | null =>
  code && { code, parameters: {} };

/** Digit groups of a masked number. */
type Groups = readonly number[];

const known = (
  what: string,
  detail: string | null,
  money: { amount: number; currency: string } | null = null,
): Fact => ({
  what,
  detail,
  amount: money?.amount ?? null,
  currency: money?.currency ?? null,
});

/** The facts that an approver sees about the payment. */
async function factsOf(payments: Pick<Settling, 'find' | 'evidence'>, id: string, groups?: Groups): Promise<Fact[]> {
  const [found, evidence] = await Promise.all([payments.find(id), payments.evidence(id)]);
  if (!found) return [];
  const { payment } = found;
  const last = evidence.findLast(({ call }) => call === 'start' || call === 'enquire');
  const delivery = evidence.findLast(({ call }) => call === 'deliver' || call === 'findDelivery');
  return [
    known('state', payment.state),
    ...(payment.msisdn ? [known('line', maskNational(fromWire(payment.msisdn), groups))] : []),
    known('asked', null, payment),
    ...(payment.taken_amount === null ? [] : [known('taken', null, takenOf(payment))]),
    ...(last ? [known('provider', last.answer)] : []),
    ...(delivery ? [known('delivery', delivery.answer)] : []),
  ];
}

/** Refunds a payment in REVIEW to its payer. The payment's own rules apply. */
export function refunds(payments: Settling, audit: Pick<Audit, 'write'>, groups?: Groups): Approvable {
  return {
    propose: 'refund.propose',
    approve: 'refund.approve',
    evidence: ({ subject_id }) => factsOf(payments, subject_id, groups),
    async overtaken({ subject_id }) {
      const found = await payments.find(subject_id);
      return overtakenBy(found ? refundProblem(found.payment, found.changes) : 'notFound');
    },
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

/** Credits airtime to the line of a delivered payment, whose state does not change. */
export function goodwillCredits(db: Executor, payments: Settling, goodwill: Goodwill, groups?: Groups): Approvable {
  return {
    propose: 'goodwill.propose',
    approve: 'goodwill.approve',
    evidence: ({ subject_id }) => factsOf(payments, subject_id, groups),
    async overtaken({ subject_id, payload }) {
      const found = await payments.find(subject_id);
      if (!found) return overtakenBy('notFound');
      const isTooMuch = (payload.amount ?? 0) > goodwill.mostFor(found.payment).amount;
      return overtakenBy(goodwill.problemOf(found) ?? (isTooMuch ? 'goodwillTooMuch' : null));
    },
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

/** Ends a stuck credit as not given. The charging system has to confirm it, at the proposal and at the approval. */
export function goodwillEnds(db: Executor, payments: Pick<Settling, 'find'>, goodwill: Goodwill): Approvable {
  return {
    propose: 'goodwill.settle',
    approve: 'goodwill.approve',
    evidence: async ({ payload }) => [known('goodwill', 'notFound', moneyOf(payload))],
    async overtaken({ subject_id }) {
      const found = await payments.find(subject_id);
      return overtakenBy(found?.goodwill?.state === 'stuck' ? null : 'goodwillNotStuck');
    },
    carryOut: ({ subject_id }, _by, decide) =>
      orRefused(async () => {
        await refuseCredited(goodwill, subject_id);
        await db.transaction().execute(async (transaction) => {
          await decide(transaction);
          await goodwill.endStuck(transaction, subject_id);
        });
      }),
  };
}

const moneyOf = ({ amount, currency }: Approval['payload']) =>
  amount === null || currency === null ? null : { amount, currency };

/** A credit may be stated as not given only if the charging system confirms that. */
export async function refuseCredited(goodwill: Pick<Goodwill, 'askStuck'>, paymentId: string): Promise<void> {
  const answer = await goodwill.askStuck(paymentId);
  if (answer === 'delivered') throw new GoodwillRefused('goodwillCredited');
  if (answer === 'unclear') throw new GoodwillRefused('goodwillUnclear');
}
