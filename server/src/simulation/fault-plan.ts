import { type FaultKind, faultKinds, faultNames } from './fault-kinds.ts';
import type { Random } from './random.ts';
import { pickTheme, type SeedRange } from './themes.ts';

/**
 * Each seed draws its own rates. Half of the kinds are off in any one world, because faults hide each other's
 * effects.
 */
export class FaultPlan {
  readonly fired: Record<FaultKind, number>;
  /** Faults that strike often in this world; none in half of the common worlds. */
  readonly theme: readonly FaultKind[];
  readonly #random: Random;
  /** Separate random numbers for power cuts, so that worlds without one stay the same as before this fault existed. */
  readonly #cuts: Random;
  readonly #rates: Record<FaultKind, number>;
  #isOver = false;

  constructor(random: Random, { cuts, range = 'common' }: { cuts: Random; range?: SeedRange }) {
    this.#random = random;
    this.#cuts = cuts;
    this.fired = Object.fromEntries(faultNames.map((kind) => [kind, 0])) as Record<FaultKind, number>;
    this.#rates = Object.fromEntries(
      faultNames.map((kind) => {
        const source = this.#sourceOf(kind);
        const share = kind === 'powerCut' ? 0.15 : 0.5;
        return [kind, source.chance(share) ? source.next() * faultKinds[kind] : 0];
      }),
    ) as Record<FaultKind, number>;
    this.theme = pickTheme(random, range);
    for (const kind of this.theme) this.#rates[kind] = 0.5 + random.next() * 0.4;
  }

  #sourceOf(kind: FaultKind): Random {
    return kind === 'powerCut' ? this.#cuts : this.#random;
  }

  strikes(kind: FaultKind, scale = 1): boolean {
    if (this.#isOver || this.#rates[kind] === 0 || !this.#sourceOf(kind).chance(this.#rates[kind] * scale))
      return false;
    this.fired[kind] += 1;
    return true;
  }

  /** Counts a fault that happened for another reason. */
  count(kind: FaultKind): void {
    this.fired[kind] += 1;
  }

  end(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
}
