import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { digitsOf } from '@portal/domain/money.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { needsTwo } from '../../approvals/approvals.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../../console/console.service.ts';
import type { Payment, PaymentRecord } from '../core/payments.store.ts';
import type { DeskContext } from './desk-context.ts';
import { orRefused, refundProblem, refuseCredited } from './payments.approvables.ts';

type Story = ConsoleResult<'payment'>;

export type Proposals = ReturnType<typeof paymentProposals>;

/** Proposals about a payment; carried out at once if one person may decide alone. */
export function paymentProposals(context: DeskContext) {
  const { approvals, goodwill, fourEyes, existing, takesTwo, hasOpenProposal } = context;

  /** The proposals this person may make now. An open proposal cannot be made twice. */
  async function proposable(found: PaymentRecord, signed: Signed): Promise<Story['actions']['propose']> {
    const { payment, changes } = found;
    const problems = { refund: refundProblem(payment, changes), goodwill: goodwill.problemOf(found) };
    // A person who may decide alone needs no proposal.
    const isAlone = signed.may('review.settle') && !takesTwo(payment);
    const kinds = (['refund', 'goodwill'] as const).filter(
      (kind) => signed.may(`${kind}.propose`) && problems[kind] === null && !(kind === 'refund' && isAlone),
    );
    const isOpen = await Promise.all(kinds.map((kind) => hasOpenProposal(payment.id, kind)));
    return kinds.filter((_, index) => !isOpen[index]);
  }

  async function propose(
    kind: 'refund' | 'goodwill',
    payment: Payment,
    { money, reason, signed }: { money: { amount: number; currency: string }; reason: string; signed: Signed },
  ): Promise<{ proposal: string }> {
    const isAlone = !needsTwo(fourEyes, money);
    // Deciding alone counts as approving, so it requires a recent step-up.
    if (isAlone && !context.console.isProved(signed)) throw new ConsoleRefusal('proveAgain');
    const proposal = await approvals.propose(signed, {
      kind,
      subject: { kind: 'payment', id: payment.id },
      payload: { name: payment.short_reference, ...money },
      reason,
      needsTwo: !isAlone,
    });
    return { proposal };
  }

  const handlers = {
    async proposeRefund({ id, reason }, signed) {
      const { payment, changes } = await existing(id);
      const problem = refundProblem(payment, changes);
      if (problem) throw new ConsoleRefusal(problem);
      return propose('refund', payment, { money: takenOf(payment), reason, signed });
    },

    async proposeGoodwill({ id, amount, reason }, signed) {
      const found = await existing(id);
      const problem = goodwill.problemOf(found);
      if (problem) throw new ConsoleRefusal(problem);
      const { amount: most, currency } = goodwill.mostFor(found.payment);
      const digits = digitsOf(context.pack, currency);
      if (amount > most)
        throw new ConsoleRefusal('amountTooHigh', {
          field: 'amount',
          parameters: { most: { amount: most, currency, digits } },
        });
      return propose('goodwill', found.payment, { money: { amount, currency }, reason, signed });
    },

    async askGoodwill({ id }, signed) {
      const { goodwill: credit } = await existing(id);
      if (credit?.state !== 'stuck') throw new ConsoleRefusal('goodwillNotStuck');
      // Audited before the call, so that an enquiry without a response is recorded too.
      await context.audit.write(context.db, signed.actor, { act: 'credit.asked', subject: { kind: 'payment', id } });
      return { answer: await orRefused(() => goodwill.askStuck(id)) };
    },

    async proposeGoodwillEnd({ id, reason }, signed) {
      const { payment, goodwill: credit } = await existing(id);
      await orRefused(() => refuseCredited(goodwill, id));
      const proposal = await approvals.propose(signed, {
        kind: 'goodwillEnd',
        subject: { kind: 'payment', id },
        payload: { name: payment.short_reference, amount: credit?.amount ?? null, currency: credit?.currency ?? null },
        reason,
        needsTwo: true,
      });
      return { proposal };
    },
  } satisfies ConsoleHandlers;

  return { proposable, handlers };
}
