import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { type Budgets, type Draw, drawsOn } from '../../budgets/budgets.service.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { isOfBrowser } from '../../http/visits.ts';
import type { Otp } from '../../otp/otp.service.ts';
import type { Pins } from '../../pins/pins.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { PaymentsDependencies } from '../payments.service.ts';
import type { Executor, Payment } from './payments.store.ts';

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

  /**
   * Whoever can be sent a code goes on with it, whatever strangers have used up. A number of another network cannot: there one
   * address may use up only a part, and where its owner approved a payment lately, requests are counted apart.
   */
  async function drawsOfPrompt(payment: Payment, transaction: Executor): Promise<Draw[]> {
    if (risk.canBeAsked(payment.payer_msisdn)) return [...ofPayer(payment), ...sharedDraws(payment)];
    const approved = approvedFrom(payment);
    const used = await budgets.used(approved, transaction);
    const known = approved.find((_, index) => (used[index]?.count ?? 0) > 0);
    if (known) return [{ budget: 'promptKnown', subject: known.subject }, ...sharedDraws(payment)];
    const stranger = approved.at(-1);
    return [
      ...(stranger ? [{ budget: 'promptStranger' as const, subject: stranger.subject }] : []),
      ...ofPayer(payment),
      ...sharedDraws(payment),
    ];
  }

  /** Has asked many wallets of others for what they think of a sum. */
  async function isCurious(payment: Payment, transaction: Executor): Promise<boolean> {
    if (!risk.canBeAsked(payment.payer_msisdn)) return false;
    return (await budgets.used(heardBy(payment), transaction)).some(({ count, most }) => count >= most);
  }

  return {
    async submitting(transaction, payment, shown) {
      // One code, one payment: of several orders that the same token made, one is with the wallet at a time.
      if (payment.proof_digest && !(await proofs.holdProof(transaction, payment.proof_digest, payment.id)))
        throw new PortalError('notVerified');
      const isCounted = payment.payer_proof !== 'token' || (await pins.takeTry(transaction, walletOfPayment(payment)));
      if (!isCounted) throw new PortalError('payerBusy');
      if (!isPrompt(payment) || shown?.isProved) return;
      const spent = (await isCurious(payment, transaction))
        ? 'heardVisit'
        : await budgets.take(await drawsOfPrompt(payment, transaction), transaction);
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
      if (isTold) {
        await budgets.take(ofPayer(payment, 2), transaction);
        await budgets.take(heardBy(payment), transaction);
      }
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
      if (!isPrompt(payment) || !payment.submitted_at) return;
      await budgets.giveBack(await drawsOfPrompt(payment, transaction), payment.submitted_at, transaction);
      if (!risk.canBeAsked(payment.payer_msisdn)) await budgets.take(approvedFrom(payment), transaction);
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

const payerOf = (payment: Payment) => payment.payer_msisdn ?? payment.msisdn;

const ofPayer = (payment: Payment, times = 1): Draw[] =>
  Array.from({ length: times }, () => ({ budget: 'promptPayer', subject: payerOf(payment) }));

/** From where its payer approves it: the browser, and the narrowest of the networks that asked. Counted, and never spent. */
function approvedFrom(payment: Payment): Draw[] {
  const [network] = payment.asked_from?.split(' ').filter(Boolean) ?? [];
  const places = [
    ...(isOfBrowser(payment.visit) ? [`in ${payment.visit}`] : []),
    ...(network ? [`from ${network}`] : []),
  ];
  return places.map((place) => ({
    budget: 'payerApproved',
    subject: `${payerOf(payment)} ${place}`,
    factor: Number.POSITIVE_INFINITY,
  }));
}

const heardBy = (payment: Payment): Draw[] => [
  ...(isOfBrowser(payment.visit) ? [{ budget: 'heardVisit', subject: payment.visit } as const] : []),
  ...drawsOn('heardNetwork', payment.asked_from),
];

/** After those of the payer, and always in this order, so that no two transactions wait for each other. */
function sharedDraws(payment: Payment): Draw[] {
  return [
    { budget: 'promptRecipient', subject: payment.msisdn || (payment.invoice_number ?? '') },
    ...drawsOn('promptNetwork', payment.asked_from),
    { budget: 'promptAll', subject: '' },
  ];
}
