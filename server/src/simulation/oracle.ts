import type { Ending, Observation } from './observation.ts';

/** A promise about money that was broken. */
export class Broken extends Error {
  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.name = 'Broken';
  }
}

export class Oracle {
  observe(_seen: Observation): void {}
  end(_seen: Ending): void {}
}
