import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';

interface Entry {
  at: number;
  order: number;
  act: () => void;
}

/** How much the clock of the process that is running differs from everybody else's. */
const skews = new AsyncLocalStorage<{ readonly skewMs: number }>();

/**
 * The time of a simulated world. It stands still while anything is being computed or stored, and then moves on to the next
 * moment somebody waits for. While it is installed, timers and clocks of this process are the world's.
 */
export class VirtualTime {
  nowMs: number;
  readonly #startMs: number;
  #entries: Entry[] = [];
  #order = 0;
  #busy = 0;
  #idle: (() => void) | null = null;

  constructor(startMs: number) {
    this.nowMs = startMs;
    this.#startMs = startMs;
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** When the next thing happens that somebody waits for. */
  get nextAt(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  at(ms: number, act: () => void): Entry {
    const entry = { at: Math.max(ms, this.nowMs), order: this.#order, act };
    this.#order += 1;
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1] as Entry).at > entry.at) index -= 1;
    this.#entries.splice(index, 0, entry);
    return entry;
  }

  after(seconds: number, act: () => void): void {
    this.at(this.nowMs + seconds * 1_000, act);
  }

  sleep(seconds: number): Promise<void> {
    return new Promise((resolve) => this.after(seconds, resolve));
  }

  /** Something real is under way, such as a statement at the database: time stands still until it is done. */
  enter(): void {
    this.#busy += 1;
  }

  leave(): void {
    this.#busy -= 1;
    if (this.#busy > 0) return;
    this.#idle?.();
    this.#idle = null;
  }

  /** Until nobody does anything but wait for a later moment. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      if (this.#busy > 0) {
        quiet = -1;
        await new Promise<void>((resolve) => {
          this.#idle = resolve;
        });
      } else await turn();
    }
  }

  /** The next moment, and the one thing that is due in it. */
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

  /** Runs with a clock of its own, as a machine has that nobody set. */
  withSkew<T>(machine: { readonly skewMs: number }, act: () => T): T {
    return skews.run(machine, act);
  }

  /** Gives back what puts the real clocks in place again. */
  install(): () => void {
    const real = { now: Date.now, steady: performance.now, setTimeout: globalThis.setTimeout, clearTimeout };
    const entries = new WeakMap<object, Entry>();
    Date.now = () => this.nowMs + (skews.getStore()?.skewMs ?? 0);
    performance.now = () => this.nowMs - this.#startMs;
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
      if (entry) this.#entries = this.#entries.filter((one) => one !== entry);
      else if (handle) real.clearTimeout(handle as NodeJS.Timeout);
    }) as typeof clearTimeout;
    return () => {
      Date.now = real.now;
      performance.now = real.steady;
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
    };
  }
}
