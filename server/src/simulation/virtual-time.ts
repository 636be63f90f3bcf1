import { AsyncLocalStorage } from 'node:async_hooks';

interface Entry {
  at: number;
  act: () => void;
}

/** A statement about to be sent; resolves when the database has responded, or makes it wait for a lock. */
type Statement = () => Promise<void>;

/** Maximum turns of the event loop that an answer takes from the wire to its caller, through streams. */
const streamTurns = 6;

/** The running process's clock, relative to the world's. */
const skews = new AsyncLocalStorage<{ readonly skewMs: number }>();

/**
 * The time of a simulated world. It stands still while anything is computed or stored, and then jumps to the next
 * timer. While installed, it replaces the timers and clocks of this process.
 */
export class VirtualTime {
  nowMs: number;
  readonly startMs: number;
  readonly #choose: (count: number) => number;
  #entries: Entry[] = [];
  #statements: Statement[] = [];
  #busy = 0;
  #idle: (() => void) | null = null;

  /** `choose` picks which of so many runnable tasks continues. */
  constructor(startMs: number, choose: (count: number) => number = () => 0) {
    this.nowMs = startMs;
    this.startMs = startMs;
    this.#choose = choose;
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** The time of the next timer. */
  get nextAt(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  at(ms: number, act: () => void): Entry {
    const entry = { at: Math.max(ms, this.nowMs), act };
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1] as Entry).at > entry.at) index -= 1;
    this.#entries.splice(index, 0, entry);
    return entry;
  }

  after(seconds: number, act: () => void): Entry {
    return this.at(this.nowMs + seconds * 1_000, act);
  }

  cancel(entry: Entry): void {
    const index = this.#entries.indexOf(entry);
    if (index >= 0) this.#entries.splice(index, 1);
  }

  sleep(seconds: number): Promise<void> {
    return new Promise((resolve) => this.after(seconds, resolve));
  }

  /** Real work, such as a database statement, begins. Virtual time stops until it ends. */
  enter(): void {
    this.#busy += 1;
  }

  leave(): void {
    this.#busy -= 1;
    if (this.#busy > 0) return;
    this.#idle?.();
    this.#idle = null;
  }

  /** Queues a statement; the seed picks among all that are ready at this moment. */
  queue(statement: Statement): void {
    this.#statements.push(statement);
  }

  /** Runs until every task waits for a timer. Sends one statement at a time; the seed decides the order. */
  async settle(): Promise<void> {
    for (;;) {
      await this.#quiet();
      if (this.#statements.length === 0) return;
      const [statement] = this.#statements.splice(this.#choose(this.#statements.length), 1);
      await statement?.();
    }
  }

  /** A response is passing through the client's streams, which takes several turns of the event loop. */
  stir(): void {
    this.#turns = streamTurns;
  }
  #turns = 0;

  #quiet(): Promise<void> {
    return new Promise((resolve) => {
      let quiet = 0;
      const turn = () => {
        if (this.#busy > 0) {
          quiet = 0;
          this.#idle = turn;
        } else if (quiet > this.#turns) {
          this.#turns = 0;
          resolve();
        } else {
          quiet += 1;
          setImmediate(turn);
        }
      };
      setImmediate(turn);
    });
  }

  /** Advances to the next timer and fires only that one. */
  async step(latestMs: number): Promise<void> {
    if (this.nextAt > latestMs) {
      this.nowMs = Math.max(this.nowMs, latestMs);
      return;
    }
    const entry = this.#entries.shift() as Entry;
    this.nowMs = entry.at;
    entry.act();
    await this.settle();
  }

  /** Runs a function with a clock of its own, as on a machine whose clock is wrong. */
  withSkew<T>(machine: { readonly skewMs: number }, act: () => T): T {
    return skews.run(machine, act);
  }

  /** Returns a function that restores the real clocks. */
  install(): () => void {
    const real = { now: Date.now, steady: performance.now, setTimeout: globalThis.setTimeout, clearTimeout };
    const { timeout } = AbortSignal;
    // The simulated wire has its own timeouts in virtual time; real ones must never fire.
    AbortSignal.timeout = () => new AbortController().signal;
    const entries = new WeakMap<object, Entry>();
    Date.now = () => this.nowMs + (skews.getStore()?.skewMs ?? 0);
    performance.now = () => this.nowMs - this.startMs;
    globalThis.setTimeout = ((act: (...parameters: unknown[]) => void, ms = 0, ...parameters: unknown[]) => {
      const handle = { unref: () => handle, ref: () => handle, hasRef: () => false };
      entries.set(
        handle,
        this.at(this.nowMs + ms, () => act(...parameters)),
      );
      return handle;
    }) as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((handle: object | undefined) => {
      const entry = handle && entries.get(handle);
      if (entry) this.cancel(entry);
      else if (handle) real.clearTimeout(handle as NodeJS.Timeout);
    }) as typeof clearTimeout;
    return () => {
      AbortSignal.timeout = timeout;
      Date.now = real.now;
      performance.now = real.steady;
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
    };
  }
}
