import type pg from 'pg';
import type { VirtualTime } from './virtual-time.ts';

type Answer = pg.QueryResult;

/** How long a statement may take before the database is asked whether a lock holds it. Only decides when to ask. */
const suspectMs = 10;

/**
 * Several connections with concurrent transactions. One statement is sent at a time, from the connection that the
 * seed picks, so that a seed is reproducible; a statement that waits for a lock waits while the others go on.
 */
export class Connections {
  readonly #time: VirtualTime;
  readonly #idle: pg.Client[];
  readonly #waiting: ((client: pg.Client) => void)[] = [];
  readonly #blocked = new Map<pg.Client, Sent>();
  readonly #isBlocked: (client: pg.Client) => Promise<boolean>;
  /** How often a statement had to wait for another transaction. */
  lockWaits = 0;

  constructor(
    time: VirtualTime,
    { clients, isBlocked }: { clients: readonly pg.Client[]; isBlocked: (client: pg.Client) => Promise<boolean> },
  ) {
    this.#time = time;
    this.#idle = [...clients];
    this.#isBlocked = isBlocked;
  }

  take(): Promise<pg.Client> {
    const client = this.#idle.pop();
    return client ? Promise.resolve(client) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(client: pg.Client): void {
    const next = this.#waiting.shift();
    if (next) next(client);
    else this.#idle.push(client);
  }

  /** Sends it when its turn comes. */
  query(client: pg.Client, parameters: unknown[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#time.queue(async () => {
        const sent = new Sent(
          (client.query as (...parameters: unknown[]) => Promise<Answer>)(...parameters),
          resolve,
          reject,
        );
        await this.#answeredOrBlocked(client, sent);
        // A released statement is awaited before any other is sent.
        for (const [other, its] of [...this.#blocked]) if (other !== client) await this.#answeredOrBlocked(other, its);
        sent.settle();
        for (const [other, its] of [...this.#blocked]) {
          if (!its.isAnswered) continue;
          this.#blocked.delete(other);
          // Two answers may arrive in any order; they are delivered in this one.
          await turns();
          its.settle();
        }
      });
    });
  }

  async #answeredOrBlocked(client: pg.Client, sent: Sent): Promise<void> {
    for (;;) {
      await (this.#blocked.has(client) ? Promise.race([sent.answered, moment()]) : soon(sent.answered));
      if (sent.isAnswered) return;
      if (!(await this.#isBlocked(client))) continue;
      if (!this.#blocked.has(client)) this.lockWaits += 1;
      this.#blocked.set(client, sent);
      return;
    }
  }
}

/** A pending statement. Its sender gets the answer only when it is delivered. */
class Sent {
  isAnswered = false;
  readonly answered: Promise<void>;
  #outcome: (() => void) | null = null;

  constructor(answer: Promise<Answer>, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    const keep = (outcome: () => void) => {
      this.isAnswered = true;
      this.#outcome = outcome;
    };
    this.answered = answer.then(
      (given) => keep(() => resolve(given)),
      (error: unknown) => keep(() => reject(error)),
    );
  }

  settle(): void {
    this.#outcome?.();
  }
}

const moment = () => new Promise<void>((resolve) => setImmediate(resolve));
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await moment();
};

/** Answered, or without an answer for long enough to check for a lock. */
function soon(answered: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const suspect = { pulses: 0, resolve };
    suspects.add(suspect);
    void answered.then(() => {
      suspects.delete(suspect);
      resolve();
    });
  });
}

/** Pending statements. They share one timer, because setting and clearing one each was the most frequent operation. */
const suspects = new Set<{ pulses: number; resolve: () => void }>();
setInterval(() => {
  for (const suspect of suspects) {
    suspect.pulses += 1;
    if (suspect.pulses < 2) continue;
    suspects.delete(suspect);
    suspect.resolve();
  }
}, suspectMs).unref();
