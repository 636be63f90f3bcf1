/** A broken promise about money. */
export class Broken extends Error {
  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.name = 'Broken';
  }
}
