import type { SandboxSettings } from '../settings.ts';
import { Accounts } from './accounts.ts';
import { Balances } from './balances.ts';
import { Books } from './books.ts';
import { type LineProfile, profileOf } from './line-table.ts';
import { Mails } from './mails.ts';
import { Messages } from './messages.ts';
import { Prompts } from './prompts.ts';
import { Sims } from './sims.ts';
import { usualRate, Wallets } from './wallets.ts';

export class SandboxState {
  readonly wallets: Wallets;
  readonly balances = new Balances();
  readonly accounts: Accounts;
  readonly messages = new Messages();
  readonly mails = new Mails();
  readonly books = new Books();
  readonly sims = new Sims();
  readonly prompts: Prompts;
  #resetters: (() => void)[] = [];

  /** Francs for a dollar, or whatever the operator's two currencies are. */
  exchangeRate = usualRate;

  constructor(settings: SandboxSettings) {
    this.wallets = new Wallets(settings);
    this.accounts = new Accounts(settings.currencyDigits);
    this.prompts = new Prompts(this.wallets, settings.approveAfterMs, settings.promptExpiryMs);
  }

  line(number: string): LineProfile | undefined {
    return profileOf(number);
  }

  /** A provider keeps its own records and gives here the way to forget them. */
  onReset(forget: () => void): void {
    this.#resetters.push(forget);
  }

  reset(): void {
    for (const part of [
      this.prompts,
      this.wallets,
      this.balances,
      this.accounts,
      this.messages,
      this.mails,
      this.books,
      this.sims,
    ])
      part.reset();
    this.exchangeRate = usualRate;
    for (const forget of this.#resetters) forget();
  }
}
