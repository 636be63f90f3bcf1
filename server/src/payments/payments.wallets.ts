import type { Pins } from '../pins/pins.service.ts';
import type { PaymentsDependencies } from './payments.service.ts';

/** Under which name a wallet's wrong PINs are counted: whoever sends them, from wherever. */
export const walletOf = (gateway: string, msisdn: string) => `${gateway}:${msisdn}`;

/** What payments tell about a wallet, counted in the payment's own transaction so that no crash forgets a wrong PIN. */
export function walletWatch(pins: Pins): PaymentsDependencies['wallets'] {
  return {
    async refused(transaction, payment, reason) {
      const wallet = walletOf(payment.gateway, payment.payer_msisdn ?? payment.msisdn);
      if (reason === 'wrongPin') await pins.noteWrong(transaction, wallet);
      if (reason === 'walletLocked') await pins.noteLocked(transaction, wallet);
    },
    paid: (transaction, payment) =>
      pins.noteRight(transaction, walletOf(payment.gateway, payment.payer_msisdn ?? payment.msisdn)),
  };
}
