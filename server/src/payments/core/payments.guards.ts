import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { type Budgets, type Draw, drawsOn } from '../../budgets/budgets.service.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Otp } from '../../otp/otp.service.ts';
import type { Pins } from '../../pins/pins.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { PaymentsDependencies } from '../payments.service.ts';
import type { Payment } from './payments.store.ts';

/** Under which name a wallet's PINs are counted: whoever sends them, from wherever. */
export const walletOf = (gateway: string, msisdn: string) => `${gateway}:${msisdn}`;
const walletOfPayment = (payment: Payment) => walletOf(payment.gateway, payment.payer_msisdn ?? payment.msisdn);

interface Dependencies {
  pins: Pins;
  proofs: Pick<Otp, 'holdProof' | 'releaseProof'>;
  budgets: Budgets;
  limits: Pick<RateLimits, 'giveBack'>;
  risk: Pick<Risk, 'paidBy' | 'proveOrAsk' | 'canBeAsked'>;
  /** Gateways that ask a payer on the phone, as against those with a page of their own. */
  asksOnPhone: (gateway: string) => boolean;
}

/** Counted in the payment's own transaction, so that no crash and no number of requests at once gets around it. */
export function paymentGuards({
  pins,
  proofs,
  budgets,
  limits,
  risk,
  asksOnPhone,
}: Dependencies): PaymentsDependencies['guards'] {
  /** A payer who proved the number asked for it; anybody else may have typed it. */
  const isPrompt = (payment: Payment) => payment.payer_proof === null && asksOnPhone(payment.gateway);

  return {
    async submitting(transaction, payment, shown) {
      // One code, one payment: of several orders that the same token made, one is with the wallet at a time.
      if (payment.proof_digest && !(await proofs.holdProof(transaction, payment.proof_digest, payment.id)))
        throw new PortalError('notVerified');
      const isCounted = payment.payer_proof !== 'token' || (await pins.takeTry(transaction, walletOfPayment(payment)));
      if (!isCounted) throw new PortalError('payerBusy');
      if (!isPrompt(payment) || shown?.isProved) return;
      const spent = await budgets.take(promptDraws(payment), transaction);
      // What strangers used up closes nothing for whoever holds the phone: a code from it is as good as no request before.
      const isLetThrough =
        !spent ||
        (shown && (await risk.proveOrAsk(transaction, payment, { rule: spent, uniqueCode: shown.uniqueCode })));
      if (!isLetThrough) throw new PortalError('payerBusy');
    },

    async refused(transaction, payment, reason) {
      // A wallet that refused before it asked anybody has told whoever sent the request what it thinks of the sum: the next
      // one takes a code of its owner.
      const isTold = isPrompt(payment) && saidUnasked.includes(reason) && risk.canBeAsked(payment.payer_msisdn);
      if (isTold) await budgets.take(ofPayer(payment, 2), transaction);
      if (payment.payer_proof !== 'token') return;
      const wallet = walletOfPayment(payment);
      if (payment.proof_digest) await proofs.releaseProof(transaction, payment.proof_digest, payment.id);
      if (reason === 'wrongPin') await pins.noteWrong(transaction, wallet);
      else if (reason === 'walletLocked') await pins.noteLocked(transaction, wallet);
      else await pins.giveBackTry(transaction, wallet);
    },

    async paid(transaction, payment, card) {
      if (card) await risk.paidBy(transaction, payment, card);
      if (payment.asked_from) limits.giveBack('order', payment.asked_from);
      if (payment.payer_proof === 'token') await pins.noteRight(transaction, walletOfPayment(payment));
      if (isPrompt(payment) && payment.submitted_at)
        await budgets.giveBack(promptDraws(payment), payment.submitted_at, transaction);
    },
  };
}

/** What a wallet says without asking anybody. */
const saidUnasked: readonly PaymentReason[] = [
  'insufficientFunds',
  'limitExceeded',
  'walletLocked',
  'noWallet',
  'refusedByProvider',
];

const ofPayer = (payment: Payment, times = 1): Draw[] =>
  Array.from({ length: times }, () => ({ budget: 'promptPayer', subject: payment.payer_msisdn ?? payment.msisdn }));

/** Always in this order, so that no two transactions wait for each other. */
function promptDraws(payment: Payment): Draw[] {
  return [
    ...ofPayer(payment),
    { budget: 'promptRecipient', subject: payment.msisdn || (payment.invoice_number ?? '') },
    ...drawsOn('promptNetwork', payment.asked_from),
    { budget: 'promptAll', subject: '' },
  ];
}
