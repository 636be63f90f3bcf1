import { type PostingKind, postingFor } from '@portal/domain/payment/ledger.ts';
import { isHeld, type Settlement, settlementEvents, settlementProblem } from '@portal/domain/payment/settle.ts';
import type { PaymentNotice } from '../notices/notices.service.ts';
import type { Move } from './payments.steps.ts';
import type { Change, Executor, Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

export interface Settling {
  as: Settlement;
  by: string;
  note: string;
}

/** A refusal to settle, in words for the person who tried. */
export class SettlementRefused extends Error {}

const consequences: Record<Settlement, { postings: PostingKind[]; notice?: PaymentNotice['kind'] }> = {
  delivered: { postings: ['paid', 'delivered'], notice: 'delivered' },
  givenBack: { postings: ['paid', 'refunded'], notice: 'givenBack' },
  notTaken: { postings: [], notice: 'notTaken' },
  letGoOn: { postings: [] },
};

/** What machines could not find out, a named person settles with a reason; the books follow. */
export async function settlePayment(
  move: Move,
  { payment, changes }: { payment: Payment; changes: Change[] },
  { as, by, note }: Settling,
): Promise<Payment> {
  if (!by.trim() || !note.trim()) throw new SettlementRefused('A name and a reason are needed.');
  const problem = settlementProblem(changes, as);
  if (problem) throw new SettlementRefused(problem);
  const { postings, notice } = consequences[as];
  const settled = await move(payment, settlementEvents[as], {
    ...(notice ? { notice } : {}),
    ...(isHeld(changes) ? { reason: as === 'letGoOn' ? null : ('calledOff' as const) } : {}),
    settled: { by, note },
    async also(transaction, row) {
      if (as === 'letGoOn') await store.markReleased(transaction, row);
      await postMissing(transaction, row, postings);
    },
  });
  if (!settled) throw new SettlementRefused('Somebody else changed it just now. Look again.');
  return settled;
}

/** Some of the books may have been written before the payment got stuck. */
async function postMissing(transaction: Executor, payment: Payment, kinds: PostingKind[]): Promise<void> {
  const there = await store.postingKinds(transaction, payment.id);
  for (const kind of kinds.filter((one) => !there.includes(one))) {
    const posting = postingFor(kind, { ...payment, transactionType: payment.transaction_type });
    await store.insertPosting(transaction, payment.id, posting, payment.changed_at);
  }
}
