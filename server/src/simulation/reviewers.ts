import { DecisionRefused, type Payments } from '../payments/payments.service.ts';
import type { Books } from './books.ts';
import { Broken } from './broken.ts';
import type { Desk } from './desk.ts';
import type { Portal } from './portal.ts';
import type { Random } from './random.ts';
import type { StoredRows } from './stored-rows.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Parts {
  time: VirtualTime;
  random: Random;
  portal: Portal;
  books: Books;
  stored: StoredRows;
  desk: Desk;
  /** For the report: what happened. */
  places: Set<string>;
}

/**
 * People review what could not be settled automatically: they see the providers' books, and sometimes two see them
 * at once.
 */
export class Reviewers {
  readonly #parts: Parts;
  #isPlanned = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  plan(): void {
    const { time, random, portal, stored, desk, places } = this.#parts;
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    time.after(random.whole(1_800, 7_200), () => {
      this.#isPlanned = false;
      stored.isChanged = true;
      portal.launch(async ({ payments }) => {
        for (const { id } of await payments.listReview(10)) {
          if (desk.takesUp(id)) continue;
          const people = random.chance(0.3) ? ['Rina', 'Solo'] : ['Rina'];
          if (people.length > 1) places.add('two people at once');
          const decided = await Promise.all(people.map((by) => this.#decide(payments, id, by)));
          if (decided.filter(Boolean).length > 1) throw new Broken('CNS-6', 'two people settled one payment');
        }
      });
    });
  }

  async #decide(payments: Payments, id: string, by: string): Promise<boolean> {
    const as = this.#decisionOn(id);
    if (!as) return false;
    try {
      await payments.ask(id);
      await payments.decide(id, { as, by, note: 'seen in the books' });
      this.#parts.places.add(`decided ${as}`);
      return true;
    } catch (error) {
      if (!(error instanceof DecisionRefused)) throw error;
      this.#parts.portal.print(id, `not settled as ${as}: ${error.message}`);
      return false;
    }
  }

  #decisionOn(id: string) {
    const { random, books, stored } = this.#parts;
    const money = books.money.filter(({ reference }) => reference === id);
    const debits = money.flatMap((one) => one.debits);
    // People are wrong now and then: what was delivered, or what the provider stated, must not be denied.
    const isWrong = random.chance(0.4);
    if (books.deliveries.some(({ reference }) => reference === id))
      return isWrong ? ('giveBack' as const) : ('delivered' as const);
    if (money.some((one) => one.refunds.length > 0)) return 'givenBack' as const;
    if (money.some(({ state }) => state === 'pending')) return null;
    if (debits.length === 0) return 'notTaken' as const;
    const isStated = stored.rows.payments.some((payment) => payment.id === id && payment.taken);
    if (isStated && isWrong) return 'notTaken' as const;
    return random.chance(0.5) ? ('giveBack' as const) : ('deliver' as const);
  }
}
