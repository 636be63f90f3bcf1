import { type BundleBalance, profileOf } from './line-table.ts';

export interface PrepaidBalance {
  /** What the line can spend now; reserved airtime has already left it. */
  available: number;
  reserved: number;
}

interface LineBalances {
  prepaid: PrepaidBalance | undefined;
  bundles: BundleBalance[];
}

export class Balances {
  #lines = new Map<string, LineBalances>();

  prepaid(number: string): PrepaidBalance | undefined {
    return this.#line(number)?.prepaid;
  }

  bundles(number: string): BundleBalance[] {
    return this.#line(number)?.bundles ?? [];
  }

  addBundle(number: string, bundle: BundleBalance): void {
    this.#line(number)?.bundles.push(bundle);
  }

  #line(number: string): LineBalances | undefined {
    const known = this.#lines.get(number);
    if (known) return known;
    const profile = profileOf(number);
    if (!profile) return undefined;
    const line = {
      prepaid: profile.airtime === null ? undefined : { available: profile.airtime, reserved: 0 },
      bundles: profile.bundles(Date.now()),
    };
    this.#lines.set(number, line);
    return line;
  }

  reset(): void {
    this.#lines.clear();
  }
}
