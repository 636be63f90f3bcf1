import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { attackWorld } from '../../attack/attack-world.fixture.ts';
import type { Config } from '../../config/config.ts';
import { signIn } from '../../testing/console.ts';

export type DeskWorld = Awaited<ReturnType<typeof deskWorld>>;

/** A portal with customers who pay, and people of the operator who look at it. */
export async function deskWorld(changes: Partial<Config> = {}) {
  const world = await attackWorld({ rateLimitScale: 1_000, walletPinMode: false, ...changes });

  async function pay(payer: string, more: object = {}): Promise<string> {
    const order = {
      amount: 5_000,
      mobileNumber: '0390000101',
      paymentMobile: `0${payer}`,
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'MPESA',
      paymentGateway: 'MPESA',
      currencyCode: 'MGA',
      emailId: 'rasoa@example.mg',
      confirmRepeat: true,
      ...more,
    };
    const headers = { 'idempotency-key': randomUUID() };
    const { result, text } = await world.call('initiate', order, { headers });
    expect(result?.transactionId, text).toBeTruthy();
    await world.call('process', { transactionId: result.transactionId });
    return result.transactionId;
  }

  async function until(id: string, state: string): Promise<void> {
    const look = async () => {
      await world.running.portal.payments.sweep(50);
      return (await world.running.portal.payments.find(id))?.payment.state;
    };
    await expect.poll(look, { interval: 100 }).toBe(state);
  }

  return {
    ...world,
    pay,
    until,
    as: (person: string) => signIn(world.running.portal.http, `${person}@console.example`),

    /** What became of the credit that was approved for a payment. */
    async credit(id: string, state: string): Promise<void> {
      const look = async () => (await world.running.portal.payments.find(id))?.goodwill?.state;
      await expect.poll(look, { interval: 100 }).toBe(state);
    },

    /** The provider took another amount than it was asked for. */
    async inReview(payer: string): Promise<string> {
      await world.phone.fault({ provider: 'wallet', fault: 'wrongAmount', times: 1 });
      const id = await pay(payer, { paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' });
      await until(id, 'REVIEW');
      return id;
    },

    /** What was done about it, by whom and why. */
    async actsOn(id: string): Promise<string[]> {
      const rows = await world.db
        .selectFrom('audit')
        .select(['act', 'person', 'reason'])
        .where('subject_id', '=', id)
        .orderBy('number')
        .execute();
      return rows.map(({ act, person, reason }) => `${act} ${person?.split('@')[0]}${reason ? `: ${reason}` : ''}`);
    },
  };
}
