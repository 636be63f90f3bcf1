import { profileOf } from './line-table.ts';

/** Long before anything here, so that no line is a new one unless a test makes it one. */
const longAgo = Date.UTC(2015, 0, 1);

/** Since when each line is active, and when it got its present SIM. */
export class Sims {
  #swapped = new Map<string, number>();
  #activated = new Map<string, number>();

  swap(line: string, at: number): void {
    this.#swapped.set(line, at);
  }

  activate(line: string, at: number): void {
    this.#activated.set(line, at);
  }

  swappedWithin(line: string, ms: number): boolean {
    const hours = profileOf(line)?.simSwappedHoursAgo ?? null;
    const at = this.#swapped.get(line) ?? (hours === null ? longAgo : Date.now() - hours * 3_600_000);
    return Date.now() - at < ms;
  }

  activeSince(line: string): string {
    return new Date(this.#activated.get(line) ?? longAgo).toISOString();
  }

  reset(): void {
    this.#swapped.clear();
    this.#activated.clear();
  }
}
