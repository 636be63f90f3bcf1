import type { VirtualTime } from './virtual-time.ts';

/** A payment that reaches a state. */
export type Reaching = Readonly<{ gateway: string }>;
type Act = (payment?: Reaching) => void;

/** Acts that wait until a payment reaches a state. */
export class StateTriggers {
  readonly #time: VirtualTime;
  readonly #waiting: { state: string; act: Act }[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Runs `act` once: when a payment reaches the state, or after a timeout. */
  when(state: string, latestSeconds: number, act: Act): void {
    let isDone = false;
    const once: Act = (payment) => {
      if (!isDone) act(payment);
      isDone = true;
    };
    this.#waiting.push({ state, act: once });
    this.#time.after(latestSeconds, () => once());
  }

  reached(state: string, payment?: Reaching): void {
    for (const one of this.#waiting.filter((waiting) => waiting.state === state)) one.act(payment);
  }
}
