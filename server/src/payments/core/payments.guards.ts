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

/** The key that PIN attempts of a wallet are counted under, whoever sends them. */
export const walletOf = (gateway: string, msisdn: string) => `${gateway}:${msisdn}`;
const walletOfPayment = (payment: Payment) => walletOf(payment.gateway, payment.payer_msisdn ?? payment.msisdn);

interface Dependencies {
  pins: Pins;
  proofs: Pick<Otp, 'holdProof' | 'releaseProof'>;
  budgets: Budgets;
  limits: Pick<RateLimits, 'giveBack'>;
  risk: Pick<Risk, 'paidBy' | 'proveOrAsk' | 'canBeAsked'>;
  /** True for gateways that prompt the payer on the phone, false for those with their own page. */
  asksOnPhone: (gateway: string) => boolean;
}

/**
 * Counters are changed in the transaction of the payment, so neither a crash nor concurrent requests get around them.
 */
export function paymentGuards({
  pins,
  proofs,
  budgets,
  limits,
  risk,
  asksOnPhone,
}: Dependencies): PaymentsDependencies['guards'] {
  /** Without a proof anybody may have typed the number, so the prompt is counted. */
  const isPrompt = (payment: Payment) => payment.payer_proof === null && asksOnPhone(payment.gateway);

  /**
   * A payer on our network can always continue with a code, so strangers cannot block them. A number of another network
   * cannot be sent a code: there one address may use only a part of the budget, and a browser or address that approved
   * a payment recently has a separate budget.
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

  /** The browser or network has probed too many wallets of other people for their balance or limits. */
  async function hasProbedWallets(payment: Payment, transaction: Executor): Promise<boolean> {
    if (!risk.canBeAsked(payment.payer_msisdn)) return false;
    return (await budgets.used(heardBy(payment), transaction)).some(({ count, most }) => count >= most);
  }

  return {
    async submitting(transaction, payment, shown) {
      // A code pays once: of several orders with the same token, only one is with the wallet at a time.
      if (payment.proof_digest && !(await proofs.holdProof(transaction, payment.proof_digest, payment.id)))
        throw new PortalError('notVerified');
      const isCounted = payment.payer_proof !== 'token' || (await pins.takeTry(transaction, walletOfPayment(payment)));
      if (!isCounted) throw new PortalError('payerBusy');
      if (!isPrompt(payment) || shown?.isProved) return;
      const spent = (await hasProbedWallets(payment, transaction))
        ? 'heardVisit'
        : await budgets.take(await drawsOfPrompt(payment, transaction), transaction);
      // A spent budget does not block the owner of the phone: a code sent to it lets the payment through.
      const isLetThrough =
        !spent ||
        (shown && (await risk.proveOrAsk(transaction, payment, { rule: spent, uniqueCode: shown.uniqueCode })));
      if (!isLetThrough) throw new PortalError('payerBusy');
    },

    async refused(transaction, payment, reason) {
      // A wallet that refuses without prompting its owner tells the sender something about its balance or limits. The
      // next request needs a code of the owner.
      const isRevealing =
        isPrompt(payment) && refusedUnprompted.includes(reason) && risk.canBeAsked(payment.payer_msisdn);
      if (isRevealing) {
        await budgets.take(ofPayer(payment, 2), transaction);
        await budgets.take(heardBy(payment), transaction);
      }
      if (payment.payer_proof !== 'token') return;
      const wallet = walletOfPayment(payment);
      if (payment.proof_digest) await proofs.releaseProof(transaction, payment.proof_digest, payment.id);
      if (reason === 'wrongPin') await pins.noteWrong(transaction, wallet);
      else if (reason === 'walletLocked') await pins.noteLocked(transaction, wallet);
      else await pins.returnAttempt(transaction, wallet);
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

/** Reasons that a wallet gives without prompting its owner. */
const refusedUnprompted: readonly PaymentReason[] = [
  'insufficientFunds',
  'limitExceeded',
  'walletLocked',
  'noWallet',
  'requestOpen',
  'refusedByProvider',
];

const payerOf = (payment: Payment) => payment.payer_msisdn ?? payment.msisdn;

const ofPayer = (payment: Payment, times = 1): Draw[] =>
  Array.from({ length: times }, () => ({ budget: 'promptPayer', subject: payerOf(payment) }));

/** Where the payer approves from: the browser and the narrowest network of the request. Only counted, with no limit. */
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

/** Drawn after the payer's budgets and always in this order, to avoid deadlocks. */
function sharedDraws(payment: Payment): Draw[] {
  return [
    { budget: 'promptRecipient', subject: payment.msisdn || (payment.invoice_number ?? '') },
    ...drawsOn('promptNetwork', payment.asked_from),
    { budget: 'promptAll', subject: '' },
  ];
}
