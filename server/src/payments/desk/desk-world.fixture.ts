import { expect } from 'vitest';
import { attackWorld } from '../../attack/attack-world.fixture.ts';
import type { Config } from '../../config/config.ts';
import { signIn } from '../../testing/console.ts';
import { deskPayments } from '../../testing/desk-payments.fixture.ts';

export type DeskWorld = Awaited<ReturnType<typeof deskWorld>>;

/** A portal with customers who pay, and console users. */
export async function deskWorld(changes: Partial<Config> = {}) {
  const world = await attackWorld({ rateLimitScale: 1_000, walletPinMode: false, ...changes });

  return {
    ...world,
    ...deskPayments(() => world),
    as: (person: string) => signIn(world.running.portal.http, `${person}@console.example`),

    /** Waits until the credit approved for the payment is in this state. */
    async credit(id: string, state: string): Promise<void> {
      const look = async () => (await world.running.portal.payments.find(id))?.goodwill?.state;
      await expect.poll(look, { interval: 100 }).toBe(state);
    },

    /** Its audit rows: act, person and reason. */
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
