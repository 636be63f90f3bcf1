export interface TakenEntry {
  taken: number;
  givenBack: number;
  currency: string;
  msisdn: string;
}

export interface DeliveredEntry {
  delivered: number;
  count: number;
  msisdn: string;
}

/** Everyone that takes money from a customer; `airtime` is the prepaid balance used as a way to pay. */
export type Taker = 'wallet' | 'mpesa' | 'smartcash' | 'card' | 'paystack' | 'orange' | 'airtime';

export type BooksSnapshot = Record<Taker, Record<string, TakenEntry>> & { charging: Record<string, DeliveredEntry> };

/** The outside truth of what moved, by the portal's transaction id; an id is absent until something moved for it. */
export class Books {
  #taken = new Map<Taker, Map<string, TakenEntry>>();
  #delivered = new Map<string, DeliveredEntry>();

  take(taker: Taker, paymentId: string, amount: number, currency: string, msisdn: string): void {
    this.#entry(taker, paymentId, currency, msisdn).taken += amount;
  }

  giveBack(taker: Taker, paymentId: string, amount: number, currency: string, msisdn: string): void {
    this.#entry(taker, paymentId, currency, msisdn).givenBack += amount;
  }

  deliver(paymentId: string, amount: number, msisdn: string): void {
    const entry = this.#delivered.get(paymentId) ?? { delivered: 0, count: 0, msisdn };
    entry.delivered += amount;
    entry.count += 1;
    this.#delivered.set(paymentId, entry);
  }

  snapshot(): BooksSnapshot {
    const of = (taker: Taker) => Object.fromEntries(this.#taken.get(taker) ?? []);
    return {
      wallet: of('wallet'),
      mpesa: of('mpesa'),
      smartcash: of('smartcash'),
      card: of('card'),
      paystack: of('paystack'),
      orange: of('orange'),
      airtime: of('airtime'),
      charging: Object.fromEntries(this.#delivered),
    };
  }

  reset(): void {
    this.#taken.clear();
    this.#delivered.clear();
  }

  #entry(taker: Taker, paymentId: string, currency: string, msisdn: string): TakenEntry {
    const book = this.#taken.get(taker) ?? new Map<string, TakenEntry>();
    this.#taken.set(taker, book);
    const entry = book.get(paymentId) ?? { taken: 0, givenBack: 0, currency, msisdn };
    book.set(paymentId, entry);
    return entry;
  }
}
