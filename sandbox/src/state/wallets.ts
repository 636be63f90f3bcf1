import { profileOf } from './line-table.ts';

export type WalletProvider = 'wallet' | 'mpesa' | 'smartcash' | 'orange';

const pinAttempts = 5;

export interface WalletAccount {
  balance: number;
  pin: string;
  pinAttemptsLeft: number;
  locked: boolean;
}

/** One account for each wallet provider and line, made from the line's profile when it is first looked at. */
export class Wallets {
  #accounts = new Map<string, WalletAccount>();

  account(provider: WalletProvider, number: string): WalletAccount | undefined {
    const key = `${provider}:${number}`;
    const known = this.#accounts.get(key);
    if (known) return known;
    const profile = profileOf(number);
    if (!profile || profile.wallet === null) return undefined;
    const account = {
      balance: profile.wallet,
      pin: profile.walletPin,
      pinAttemptsLeft: profile.walletLocked ? 0 : pinAttempts,
      locked: profile.walletLocked,
    };
    this.#accounts.set(key, account);
    return account;
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
