import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** A message about a payment: sent, failed, or over its budget. */
export interface SentMessage {
  kind: string;
  way: 'sms' | 'mail';
  occasion: string;
  outcome: 'sent' | 'failed' | 'overBudget';
  at: Date;
}

export type SentMessages = ReturnType<typeof sentMessages>;

export const sentMessages = (db: Kysely<Schema>) => ({
  /** A failed attempt is shown until one succeeds. */
  async note(paymentId: string, message: SentMessage): Promise<void> {
    const { outcome, at } = message;
    await db
      .insertInto('sent_messages')
      .values({ payment_id: paymentId, ...message })
      .onConflict((conflict) =>
        conflict
          .columns(['payment_id', 'kind', 'way', 'occasion'])
          .doUpdateSet({ outcome, at, tries: (set) => set('sent_messages.tries', '+', 1) }),
      )
      .execute();
  },
  of: (paymentId: string): Promise<SentMessage[]> =>
    db
      .selectFrom('sent_messages')
      .select(['kind', 'way', 'occasion', 'outcome', 'at'])
      .where('payment_id', '=', paymentId)
      .orderBy('at')
      .execute(),
});
