import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AttackWorld, Sender } from '../attack/attack-world.fixture.ts';

/** Payments made by customers, for tests of the console. */
export function deskPayments(world: () => AttackWorld) {
  async function pay(payer: string, more: object = {}, from: Sender = {}): Promise<string> {
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
    const headers = { 'idempotency-key': randomUUID(), ...from.headers };
    const { result, text } = await world().call('initiate', order, { ...from, headers });
    expect(result?.transactionId, text).toBeTruthy();
    await world().call('process', { transactionId: result.transactionId }, from);
    return result.transactionId;
  }

  async function until(id: string, state: string): Promise<void> {
    const { payments } = world().running.portal;
    const look = async () => {
      await payments.sweep(50);
      return (await payments.find(id))?.payment.state;
    };
    await expect.poll(look, { interval: 100 }).toBe(state);
  }

  /** A payment in REVIEW: the provider took another amount than asked for. */
  async function inReview(payer: string): Promise<string> {
    await world().phone.fault({ provider: 'wallet', fault: 'wrongAmount', times: 1 });
    const id = await pay(payer, { paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' });
    await until(id, 'REVIEW');
    return id;
  }

  return { pay, until, inReview };
}
