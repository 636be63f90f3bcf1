import { Accounts } from './accounts.ts';
import { Balances } from './balances.ts';
import { Books } from './books.ts';
import { type LineProfile, profileOf } from './line-table.ts';
import { Mails } from './mails.ts';
import { Messages } from './messages.ts';
import { Prompts } from './prompts.ts';
import { Wallets } from './wallets.ts';

export class SandboxState {
  readonly wallets = new Wallets();
  readonly balances = new Balances();
  readonly accounts = new Accounts();
  readonly messages = new Messages();
  readonly mails = new Mails();
  readonly books = new Books();
  readonly prompts: Prompts;
  #resetters: (() => void)[] = [];

  constructor(approveAfterMs: number, promptExpiryMs: number) {
    this.prompts = new Prompts(this.wallets, approveAfterMs, promptExpiryMs);
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
    ])
      part.reset();
    for (const forget of this.#resetters) forget();
  }
}
