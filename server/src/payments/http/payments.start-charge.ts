import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import { shownStatus } from '@portal/domain/payment/shown-status.ts';
import { isFinal } from '@portal/domain/payment/transitions.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { Handler } from '../../http/register-calls.ts';
import { walletOf } from '../core/payments.guards.ts';
import { gatewayName, proofNeeded } from '../core/payments.quote.ts';
import type { Payment } from '../core/payments.store.ts';
import { isClear, type PaymentContext } from './payments.context.ts';
import { pollOf } from './payments.status.ts';

type Process = { body: ParsedBodyOf<'process'>; headers: Record<string, unknown>; ip: string; language: string };

/** Starts the charge of an order, for the visit that made it. */
export function processing(context: PaymentContext) {
  const { payments, pack, otp, pins, found, methodOf, refuseLocked, locked, waitingFor } = context;
  const { unknownPayment, notVerified } = context;
  const { announcements } = context.ways;

  /** Anybody with the link may see a payment. Only the visit that ordered it may continue it. */
  const isOwn = (payment: Payment, request: Process) =>
    payment.visit === null || payment.visit === context.visits.of(request);

  /** The request may repeat what initiate fixed, but not change it. */
  async function refuseChanged({ body }: Process, payment: Payment): Promise<void> {
    const { paymentMobile, paymentMode, paymentGateway, accountId } = body;
    const payer = paymentMobile && (isClear(paymentMobile) ? paymentMobile : await pins.openNumber(paymentMobile));
    const method = methodOf(payment);
    const isSame =
      (!payer || payment.payer_msisdn === null || payer === payment.payer_msisdn) &&
      (!paymentMode || paymentMode === payment.payment_mode) &&
      (!paymentGateway || [gatewayName(method), method.mode].includes(paymentGateway)) &&
      (!accountId || payment.account_id === null || accountId === payment.account_id);
    if (!isSame) throw new PortalError('otherThanRegistered');
  }

  async function process(request: Process, payment: Payment, pin?: { sealed: string; keyId?: string }) {
    if (!isOwn(payment, request)) {
      if (payment.state === 'CREATED') throw unknownPayment();
      // Returns what the status page shows to anybody with the link, whatever else the request contains.
      return outcomeOf({ payment: { ...payment, continuation: null }, already: true });
    }
    await refuseChanged(request, payment);
    // A submitted payment gets its response even if the way to pay was closed since.
    if (payment.state === 'CREATED') await announcements.refuseClosed(methodOf(payment), request.language);
    const digits = pin ? await pins.open(payment.id, { pin: pin.sealed, keyId: pin.keyId }) : undefined;
    const { uniqueCode } = request.body;
    const processed = await payments
      .process(payment.id, {
        ...(digits === undefined ? {} : { pin: digits }),
        ...(uniqueCode ? { uniqueCode } : {}),
        askedFrom: context.budgets.networks(request.ip),
      })
      .catch(async (error: unknown) => {
        if (digits !== undefined && isCodeNeeded(error)) await pins.unused(payment.id);
        throw error;
      });
    return outcomeOf(processed);
  }

  function outcomeOf({ payment, already }: { payment: Payment; already: boolean }) {
    const continuation = payment.state === 'AWAITING_PAYER' ? payment.continuation : null;
    const redirectUrl = continuation && 'redirectUrl' in continuation ? continuation.redirectUrl : undefined;
    const popup = continuation && 'popup' in continuation ? continuation.popup : undefined;
    return {
      payment,
      result: {
        transactionId: payment.id,
        status: already ? ('ALREADY_PROCESSED' as const) : shownStatus(payment.state, waitingFor(payment)),
        next: nextStep(payment, { redirectUrl, popup }),
        ...(redirectUrl ? { redirectUrl } : {}),
        ...(popup ? { popup } : {}),
        ...(payment.state === 'UNKNOWN' ? { unclear: true as const } : {}),
        ...pollOf(payment, 0),
      },
    };
  }

  /** A wrong PIN fails its payment. The next attempt is a new payment, and the server counts them. */
  const authProcess: Handler<'authProcess'> = async (request) => {
    const { body, headers } = request;
    const { payment } = await found(body.transactionId);
    const method = methodOf(payment);
    const proved = otp.openToken(headers.authorization);
    const isPayer = proved.subject === payment.payer_msisdn && proved.purpose === method.mode;
    if (!isPayer || proved.visit !== payment.visit || payment.payer_proof !== 'token') throw notVerified();
    const wallet = walletOf(method.gateway, proved.subject);
    if (payment.state === 'CREATED') {
      await refuseLocked(method, proved.subject);
      if (!body.amPin) throw new PortalError('pinNeeded', { field: 'amPin' });
    }
    const isFirst = payment.state === 'CREATED' && body.amPin;
    const pin = isFirst ? { sealed: body.amPin as string, keyId: body.amPinKeyId } : undefined;
    const processed = await process(request, payment, pin);
    const { state, reason } = processed.payment;
    if (state !== 'FAILED') return processed.result;
    if (reason === 'walletLocked') throw locked(method);
    if (reason !== 'wrongPin') return processed.result;
    const attemptsLeft = await pins.triesLeft(wallet);
    if (attemptsLeft === 0) throw locked(method);
    throw new PortalError(method.type === 'AM' ? 'wrongPin' : 'wrongSmartCashPin', { attemptsLeft });
  };

  const plainProcess = async (request: Process): Promise<ResultOf<'process'>> => {
    const { payment } = await found(request.body.transactionId);
    if (proofNeeded(methodOf(payment), pack) === 'token') throw notVerified();
    return (await process(request, payment)).result;
  };

  return { plainProcess, authProcess };
}

const isCodeNeeded = (error: unknown) => error instanceof PortalError && error.kind === 'codeNeeded';

function nextStep(
  payment: Payment,
  continuation: { redirectUrl?: string; popup?: unknown },
): ResultOf<'process'>['next'] {
  if (continuation.redirectUrl) return 'redirect';
  if (continuation.popup) return 'popup';
  // A payment in REVIEW proceeds without the customer.
  return isFinal(payment.state) || payment.state === 'REVIEW' ? 'done' : 'await';
}
