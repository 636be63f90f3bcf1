import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import { takenOf, takenOtherwise } from '@portal/domain/payment/ledger.ts';
import { type DecisionProblem, decisionProblem } from '@portal/domain/payment/settle.ts';
import type { Approvable, Approval, Known, Overtaken } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import { ConsoleRefusal } from '../../console/console.service.ts';
import type { Change, Executor, Payment, PaymentRecord, StoredEvidence } from '../core/payments.store.ts';
import { type Goodwill, type GoodwillProblem, GoodwillRefused } from '../goodwill/payments.goodwill.ts';
import { type Deciding, DecisionRefused } from '../review/payments.review.ts';

/** What is asked of payments here. */
interface Settling {
  find(id: string): Promise<PaymentRecord | undefined>;
  evidence(id: string): Promise<StoredEvidence[]>;
  decide(id: string, deciding: Deciding): Promise<Payment>;
}

/** Why what was taken cannot be given back by a decision now; null where it can. */
export const refundProblem = (payment: Payment, changes: readonly Change[]): DecisionProblem | null =>
  decisionProblem(changes, takenStated(payment), 'giveBack');

export const takenStated = (payment: Payment): { isAsAsked: boolean } | null =>
  payment.taken_amount === null ? null : { isAsAsked: takenOtherwise(payment) === null };

/** Whatever it is refused for, as a refusal of the console. */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DecisionRefused || error instanceof GoodwillRefused) throw new ConsoleRefusal(error.code);
    throw error;
  }
}

/** Why nothing can be done about it any more, as the page of a proposal says it. */
const overtakenBy = (code: DecisionProblem | GoodwillProblem | null): Overtaken | null =>
  code && { code, parameters: {} };

/** How a masked number is written. */
type Groups = readonly number[];

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
async function knownOf(payments: Pick<Settling, 'find' | 'evidence'>, id: string, groups?: Groups): Promise<Known[]> {
  const [found, evidence] = await Promise.all([payments.find(id), payments.evidence(id)]);
  if (!found) return [];
  const { payment } = found;
  const last = evidence.findLast(({ call }) => call === 'start' || call === 'enquire');
  const brought = evidence.findLast(({ call }) => call === 'deliver' || call === 'findDelivery');
  return [
    known('state', payment.state),
    ...(payment.msisdn ? [known('line', maskNational(fromWire(payment.msisdn), groups))] : []),
    known('asked', null, payment),
    ...(payment.taken_amount === null ? [] : [known('taken', null, takenOf(payment))]),
    ...(last ? [known('provider', last.answer)] : []),
    ...(brought ? [known('delivery', brought.answer)] : []),
  ];
}

/** What waits for a person goes back to whom it was taken from, by the payment's own rules. */
export function refunds(payments: Settling, audit: Pick<Audit, 'write'>, groups?: Groups): Approvable {
  return {
    propose: 'refund.propose',
    approve: 'refund.approve',
    evidence: ({ subject_id }) => knownOf(payments, subject_id, groups),
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

/** Airtime on top for the line that got a purchase; the payment itself stays delivered. */
export function goodwillCredits(db: Executor, payments: Settling, goodwill: Goodwill, groups?: Groups): Approvable {
  return {
    propose: 'goodwill.propose',
    approve: 'goodwill.approve',
    evidence: ({ subject_id }) => knownOf(payments, subject_id, groups),
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

/** A credit that is stuck ends as not given: only where the charging system says so, to who proposes it and to who approves. */
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
        await refuseGiven(goodwill, subject_id);
        await db.transaction().execute(async (transaction) => {
          await decide(transaction);
          await goodwill.endStuck(transaction, subject_id);
        });
      }),
  };
}

const moneyOf = ({ amount, currency }: Approval['payload']) =>
  amount === null || currency === null ? null : { amount, currency };

/** Asks the charging system: nobody states against it, or without it, that a credit was not given. */
export async function refuseGiven(goodwill: Pick<Goodwill, 'askStuck'>, paymentId: string): Promise<void> {
  const answer = await goodwill.askStuck(paymentId);
  if (answer === 'delivered') throw new GoodwillRefused('goodwillCredited');
  if (answer === 'unclear') throw new GoodwillRefused('goodwillUnclear');
}
