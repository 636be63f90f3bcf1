import type { Approvals } from '../approvals/approvals.service.ts';
import { ConsoleRefusal, type Signed } from '../console/console.service.ts';
import type { Goodwill } from '../payments/payments.service.ts';
import type { Delivery } from './books.ts';
import { Broken } from './broken.ts';
import type { Observation } from './observation.ts';
import { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

interface AtDesk {
  approvals: Approvals;
  goodwill: Goodwill;
}

interface Surroundings {
  time: VirtualTime;
  launch: (act: (worker: AtDesk) => Promise<void>, then?: (isDone: boolean) => void) => void;
  note: (where: string) => void;
  restores: () => number;
  downUntil: () => number;
}

/** The people; their rows exist in every world. */
export const deskPeople = ['care', 'finance', 'finance2'] as const;
type Person = (typeof deskPeople)[number];

const openStates = ['due', 'sending', 'unknown'];

/**
 * The operator's people, who propose and approve at random and at once: refunds of payments in REVIEW, and goodwill
 * for delivered ones. They have their own random numbers, so that worlds without them stay the same.
 */
export class Desk {
  readonly #random: Random;
  readonly #surroundings: Surroundings;
  readonly #isManned: boolean;
  readonly #considered = new Set<string>();
  /** Every credit ever proposed, and its payment: the charging system knows it by its own reference. */
  readonly #creditOf = new Map<string, string>();
  #isSweepPlanned = false;
  #credits: Observation['credits'] = [];

  constructor(seed: number, around: Surroundings) {
    this.#random = new Random(seed + 7_000_003);
    this.#surroundings = around;
    this.#isManned = this.#random.chance(0.3);
  }

  /** Deliveries of the charging system for payments, and its goodwill credits. */
  splitDeliveries(all: readonly Delivery[]): Pick<Observation, 'deliveries' | 'goodwill'> {
    if (this.#creditOf.size === 0) return { deliveries: all, goodwill: [] };
    return {
      deliveries: all.filter(({ reference }) => !this.#creditOf.has(reference)),
      goodwill: all.flatMap((one) => {
        const payment = this.#creditOf.get(one.reference);
        return payment ? [{ ...one, payment }] : [];
      }),
    };
  }

  observe({ payments, credits }: Pick<Observation, 'payments' | 'credits'>): void {
    this.#credits = credits;
    for (const { id, payment } of credits) this.#creditOf.set(id, payment);
    if (credits.some(({ state }) => openStates.includes(state))) this.#planSweep();
    if (!this.#isManned) return;
    for (const { id, state, item, amount } of payments) {
      const isLine = item === 'airtime' || item === 'bundle';
      if (state !== 'SUCCEEDED' || !isLine || this.#considered.has(`${id} ${this.#surroundings.restores()}`)) continue;
      this.#considered.add(`${id} ${this.#surroundings.restores()}`);
      if (this.#random.chance(0.6)) this.#propose('goodwill', id, this.#random.whole(1, amount));
      // People make mistakes: refunding a delivered payment must be refused.
      if (this.#random.chance(0.2)) this.#propose('refund', id, amount);
    }
  }

  /** Proposes a refund, which two people decide, instead of a decision by one. */
  takesUp(id: string): boolean {
    if (!this.#isManned || !this.#random.chance(0.5)) return false;
    this.#propose('refund', id, 1);
    // Sometimes another person decides it concurrently.
    return this.#random.chance(0.7);
  }

  #propose(kind: 'refund' | 'goodwill', id: string, amount: number): void {
    const by = this.#random.pick<Person>(['care', 'finance', 'finance2']);
    const subject = { kind: 'payment', id };
    const payload = { name: id, amount, currency: 'NGN' };
    this.#surroundings.time.after(this.#random.whole(1, 600), () =>
      this.#surroundings.launch(async ({ approvals }) => {
        const reason = 'seen in the books';
        const proposing = { kind, subject, payload, reason, needsTwo: true };
        const proposal = await refusable(() => approvals.propose(signedAs(by), proposing));
        if (proposal) this.#decide(kind, proposal, by);
      }),
    );
  }

  /** Both finance people approve at once, even the proposer, who may also withdraw it. */
  #decide(kind: string, id: string, proposer: Person): void {
    const restores = this.#surroundings.restores();
    let approved = 0;
    const approve = (by: Person) =>
      this.#surroundings.launch(async ({ approvals }) => {
        const done = await refusable(async () => {
          const { digest } = await approvals.seenBy(id, signedAs(by));
          await approvals.approve(signedAs(by), id, digest);
          return true;
        });
        if (!done) return;
        this.#surroundings.note(`approved ${kind}`);
        if (by === proposer) throw new Broken('CNS-7', `${by} proposed and approved ${kind} ${id}`);
        if (this.#surroundings.restores() === restores) approved += 1;
        if (approved > 1) throw new Broken('CNS-7', `${kind} ${id} was approved twice`);
      });
    this.#surroundings.time.after(this.#random.whole(1, 1_200), () => {
      if (this.#random.chance(0.1))
        this.#surroundings.launch(async ({ approvals }) => {
          await refusable(() => approvals.withdraw(signedAs(proposer), id));
        });
      for (const by of ['finance', 'finance2'] as const) approve(by);
    });
  }

  /** Stands in for the background job that runs every second, but runs only when something is due. */
  #planSweep(): void {
    if (this.#isSweepPlanned) return;
    this.#isSweepPlanned = true;
    const { time, downUntil: offUntil, launch } = this.#surroundings;
    const dues = this.#credits.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
    const at = Math.max(time.nowMs + 1_000, offUntil() + 1_000, Math.min(...dues, time.nowMs + 3_600_000));
    time.at(at, () =>
      launch(
        async ({ goodwill }) => void (await goodwill.sweep(10)),
        () => {
          this.#isSweepPlanned = false;
          if (this.#credits.some(({ state }) => openStates.includes(state))) this.#planSweep();
        },
      ),
    );
  }
}

/** Null if it was refused, which is common. */
async function refusable<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConsoleRefusal) return null;
    throw error;
  }
}

const signedAs = (person: Person): Signed => ({
  ...{ session: person, personId: person, name: person, email: `${person}@console.example`, roles: [] },
  ...{ provedAt: new Date(0), endsAt: new Date(0) },
  actor: { person, roles: [], address: null },
  may: () => true,
});
