import type { SandboxSettings } from '../settings.ts';
import { profileOf } from './line-table.ts';

export type WalletProvider = 'wallet' | 'mpesa' | 'smartcash' | 'orange';

const pinAttempts = 5;

export interface WalletAccount {
  balance: number;
  secondBalance: number;
  pin: string;
  pinAttemptsLeft: number;
  locked: boolean;
}

export const usualRate = 2_800;

/**
 * One account for each wallet provider and line, made from the line's profile when it is first looked at. Where the
 * operator takes two currencies, `balance` is in the first and `secondBalance` in the second.
 */
export class Wallets {
  #accounts = new Map<string, WalletAccount>();
  #settings: Pick<SandboxSettings, 'currencyDigits' | 'secondCurrency'>;

  constructor(settings: Pick<SandboxSettings, 'currencyDigits' | 'secondCurrency'>) {
    this.#settings = settings;
  }

  account(provider: WalletProvider, number: string): WalletAccount | undefined {
    const key = `${provider}:${number}`;
    const known = this.#accounts.get(key);
    if (known) return known;
    const profile = profileOf(number);
    if (!profile || profile.wallet === null) return undefined;
    const account = {
      balance: profile.wallet,
      secondBalance: Math.floor((profile.wallet * usualRate) / 10 ** this.#settings.currencyDigits),
      pin: profile.walletPin,
      pinAttemptsLeft: profile.walletLocked ? 0 : pinAttempts,
      locked: profile.walletLocked,
    };
    this.#accounts.set(key, account);
    return account;
  }

  balanceIn(account: WalletAccount, currency: string): number {
    return currency === this.#settings.secondCurrency ? account.secondBalance : account.balance;
  }

  move(account: WalletAccount, currency: string, amount: number): void {
    if (currency === this.#settings.secondCurrency) account.secondBalance += amount;
    else account.balance += amount;
  }

  checkPin(account: WalletAccount, pin: string): 'right' | 'wrong' | 'locked' {
    if (account.locked) return 'locked';
    if (pin === account.pin) {
      account.pinAttemptsLeft = pinAttempts;
      return 'right';
    }
    account.pinAttemptsLeft -= 1;
    if (account.pinAttemptsLeft > 0) return 'wrong';
    account.locked = true;
    return 'locked';
  }

  reset(): void {
    this.#accounts.clear();
  }
}
