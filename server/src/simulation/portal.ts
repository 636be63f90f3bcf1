import { Broken } from './broken.ts';
import { Crash } from './crashing-database.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { Worker } from './worker.ts';

export type Print = (line: string) => void;
type Act = (worker: Worker) => Promise<void>;

interface Parts {
  time: VirtualTime;
  random: Random;
  start: () => Worker;
  /** The error is because of a payment that a restore lost. */
  isOfLost: (error: unknown) => boolean;
  print: Print | null;
}

/** The portal: two workers that crash and are started again, or are down together. */
export class Portal {
  readonly #parts: Parts;
  readonly workers: [Worker, Worker];
  /** Every worker is down until then. */
  downUntil = 0;
  /** The first unexpected error of a task that nobody awaits. */
  broken: Broken | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.workers = [parts.start(), parts.start()];
  }

  get isDown(): boolean {
    return this.#parts.time.nowMs < this.downUntil;
  }

  goDown(until: number): void {
    this.downUntil = until;
    this.crash();
  }

  crash(): void {
    for (const { process } of this.workers) process.isDead = true;
  }

  /** A dead worker is started again; its pending tasks stop at their next step. */
  worker(): Worker {
    const index = this.#parts.random.chance(0.5) ? 0 : 1;
    if (this.workers[index].process.isDead) this.workers[index] = this.#parts.start();
    return this.workers[index];
  }

  /** Starts an action on either worker; the world goes on meanwhile. */
  launch(act: Act, then: (isDone: boolean) => void = () => {}): void {
    if (this.isDown) {
      then(false);
      return;
    }
    this.launchOn(this.worker(), act, then);
  }

  launchOn(worker: Worker, act: Act, then: (isDone: boolean) => void = () => {}): void {
    const done = this.#parts.time.withSkew(worker.machine, () => act(worker));
    done.then(
      () => then(true),
      (error: unknown) => {
        this.report(error);
        this.#parts.print?.(`  (${(error as Error).message})`);
        then(false);
      },
    );
  }

  /** Some errors are expected: of a crash, and of a busy or restored database. */
  report(error: unknown): void {
    const isExpected =
      error instanceof Crash || (error instanceof Error && error.message === 'could not serialize access');
    if (!isExpected && !this.#parts.isOfLost(error)) this.fail(error);
  }

  fail(error: unknown): void {
    this.broken ??=
      error instanceof Broken ? error : new Broken('error', `nobody expected "${(error as Error).message}"`);
  }

  /** When the portal is up again. */
  later(act: () => void): void {
    const { time, random } = this.#parts;
    time.at(this.downUntil + random.whole(1, 3_600) * 1_000, act);
  }

  print(id: string, what: string): void {
    this.#parts.print?.(`${this.#parts.time.now.toISOString()} ${id.slice(0, 4)} ${what}`);
  }
}
