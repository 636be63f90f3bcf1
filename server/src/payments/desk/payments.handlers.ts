import { reviewedBy } from '@portal/domain/payment/schedule.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../../console/console.service.ts';
import { deskContext, type PaymentsDesk, wayTo } from './desk-context.ts';
import { orRefused } from './payments.approvables.ts';
import * as desk from './payments.desk.store.ts';
import { findHandlers } from './payments.find.ts';
import { paymentPage } from './payments.page.ts';
import { paymentProposals } from './payments.proposals.ts';
import { todayOf } from './payments.today.ts';

const reviewRows = 200;
const claimMs = 15 * 60_000;

/** The console's handlers for payments. */
export function paymentConsoleHandlers(deps: PaymentsDesk) {
  const context = deskContext(deps);
  const { db, payments, leads, audit, approvals, ways, tickets, notices, pack, now } = context;
  const { wayName, listed, existing, takesTwo, hasOpenProposal, actsFor } = context;
  const proposals = paymentProposals(context);

  async function refuseClaimed(id: string, { email }: Signed): Promise<void> {
    const claim = await desk.claimOf(db, id, now());
    if (claim && claim.person !== email) throw new ConsoleRefusal('workedOn', { parameters: { person: claim.person } });
  }

  return {
    ...findHandlers(context),
    ...paymentPage(context, proposals),
    ...proposals.handlers,

    today: () => todayOf(db, { timeZone: pack.timeZone, wayName, ways, tickets, leads, now: now() }),

    async review() {
      const [waiting, claims, proposed] = await Promise.all([
        payments.listReview(reviewRows),
        desk.claimsNow(db, now()),
        approvals.list({ list: 'open', kinds: ['refund'], most: reviewRows }),
      ]);
      const claimedBy = new Map(claims.map(({ payment_id, person }) => [payment_id, person]));
      const proposals = new Map(proposed.map(({ id, subject_id }) => [subject_id, id]));
      return waiting.map((payment) => ({
        ...listed(payment),
        claimedBy: claimedBy.get(payment.id) ?? null,
        promisedAt: reviewedBy(payment.changed_at, payment.reason).toISOString(),
        proposal: proposals.get(payment.id) ?? null,
      }));
    },

    async claim({ id, isTaken }, signed) {
      const { payment } = await existing(id);
      if (isTaken && payment.state !== 'REVIEW') throw new ConsoleRefusal('notWaiting');
      await db.transaction().execute(async (transaction) => {
        const until = new Date(now().getTime() + claimMs);
        if (!isTaken) await desk.dropClaim(transaction, id, signed.email);
        else if (!(await desk.takeClaim(transaction, { paymentId: id, person: signed.email, now: now(), until })))
          throw new ConsoleRefusal('workedOnByOther');
        const act = isTaken ? 'payment.claimed' : 'payment.letGo';
        await audit.write(transaction, signed.actor, { act, subject: { kind: 'payment', id } });
      });
      return null;
    },

    async ask({ id }, signed) {
      const { payment } = await existing(id);
      const acts = actsFor(payment, signed);
      const isOpen = acts.includes('ask');
      if (!isOpen && !acts.includes('askInReview')) throw new ConsoleRefusal('notPossible');
      await refuseClaimed(id, signed);
      // Audited before the call, so that an enquiry without a response is recorded too.
      await audit.write(db, signed.actor, { act: 'payment.asked', subject: { kind: 'payment', id } });
      if (isOpen) {
        await payments.enquireSoon(id);
        return { said: null };
      }
      const last = (await orRefused(() => payments.ask(id))).findLast(({ call }) => call === 'enquire');
      const { answer: said = null, amount = null, currency = null, at } = last ?? {};
      return { said: { said, amount, currency, at: at?.toISOString() ?? null } };
    },

    async receiptAgain({ id }, signed) {
      const record = await existing(id);
      if (!actsFor(record.payment, signed).includes('receiptAgain')) throw new ConsoleRefusal('notPossible');
      await db.transaction().execute(async (transaction) => {
        await audit.write(transaction, signed.actor, {
          act: 'payment.receiptAgain',
          subject: { kind: 'payment', id },
          after: { way: wayTo(record.payment) },
        });
        await notices.repeat(transaction, record, now().toISOString());
      });
      return null;
    },

    async settle({ id, as, reason }, signed) {
      const { payment } = await existing(id);
      await refuseClaimed(id, signed);
      if (as === 'giveBack' && takesTwo(payment)) throw new ConsoleRefusal('needsTwo');
      if (await hasOpenProposal(id, 'refund')) throw new ConsoleRefusal('refundProposed');
      const { state } = await orRefused(() =>
        payments.decide(id, {
          as,
          by: signed.email,
          note: reason,
          record: (transaction, decided) =>
            audit.write(transaction, signed.actor, {
              act: 'payment.settled',
              subject: { kind: 'payment', id },
              before: { state: payment.state },
              after: { state: decided.state, as },
              reason,
            }),
        }),
      ).catch(async (error: unknown) => {
        // Audit the attempt to decide against a provider's response, like an attempt without permission.
        if (error instanceof ConsoleRefusal)
          await audit.write(db, signed.actor, {
            act: 'payment.settleRefused',
            subject: { kind: 'payment', id },
            after: { as, because: error.code },
            reason,
          });
        throw error;
      });
      await desk.dropClaim(db, id, signed.email);
      return { state };
    },
  } satisfies ConsoleHandlers;
}
