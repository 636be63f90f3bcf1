import type { BodyOf, ResultOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { useRef, useState } from 'react';
import type { Answer, Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { isUnclear, ownCodes, ownFailure } from './payment-failure.ts';
import type { PaymentOption, PaymentOrder } from './payment-order.ts';

export type Checkout =
  /** `isCorrected`: a number was asked already, and the person went back to change it. */
  | { at: 'form'; failure: Failure | null; isCorrected?: boolean }
  | { at: 'busy' }
  /** The same was bought minutes ago: the person confirms or goes back. */
  | { at: 'repeat'; earlierId: string; again: () => void; left?: (() => void) | undefined }
  /** A fresh code is required before money moves; null when the person leaves the dialog. */
  | { at: 'code'; transactionId: string; number: string; answer: (uniqueCode: string | null) => void }
  /** Waiting for the payer's approval on the phone. */
  | ({ at: 'waiting'; transactionId: string } & Asked);

/** The number that was asked to pay, and the method. */
interface Asked {
  number: string;
  option: PaymentOption;
  /** Proved by a code, so it is not mistyped. */
  isProved?: boolean;
}

type Registering = 'initiate' | 'mpesaInitiate' | 'authInitiate';
type Processing = 'process' | 'mpesaProcess' | 'authProcess';

interface Registration {
  body: BodyOf<'initiate'>;
  headers?: Record<string, string>;
  /** Identifies the attempt where its body differs each time. */
  sameness?: unknown;
  /** A repeated purchase has to be confirmed first: called when it is confirmed, and when the question is left. */
  again: () => void;
  left?: () => void;
}

/** Codes that close the payment with proof that nothing was taken: the next try is a new attempt. */
const closedByProof: readonly (string | number)[] = [
  errorCodes.wrongPin,
  errorCodes.wrongSmartCashPin,
  errorCodes.walletLocked,
];

/** Shared by all payment methods: one attempt at a time, one idempotency key each, and where to go afterwards. */
export function useCheckout(order: PaymentOrder) {
  const { api, navigate, query, form, track } = usePage();
  const posted = postedFailure(form?.values.failure);
  const [state, setState] = useState<Checkout>({ at: 'form', failure: posted });
  const isUnderWay = useRef(false);
  /** The proof of a payment's fresh code; the PIN is entered again after it. */
  const fresh = useRef<{ transactionId: string; uniqueCode: string } | null>(null);
  const isRepeatMeant = useRef(posted?.code === errorCodes.paidRecently);

  const toStatus = (transactionId: string) =>
    navigate(withQuery(paths.paymentStatus, { id: transactionId, channel: query.channel, pg: query.pg }), {
      replace: true,
    });

  function fail(failure: Failure | null) {
    isUnderWay.current = false;
    setState({ at: 'form', failure });
  }

  return {
    state,
    fail,
    toStatus,

    /** A repeated purchase is already being asked about; any other refusal is shown above the form. */
    refused(failure: Failure) {
      if (!isRepeat(failure)) fail(failure);
    },

    /** False for a second click, which comes before the first one has rendered anything. */
    begin(): boolean {
      if (isUnderWay.current) return false;
      isUnderWay.current = true;
      setState({ at: 'busy' });
      return true;
    },

    /** Registers the payment; nothing is taken yet. */
    async register(
      name: Registering,
      { body, headers, sameness, again, left }: Registration,
    ): Promise<Answer<ResultOf<'initiate'>>> {
      const asked = isRepeatMeant.current ? { ...body, confirmRepeat: true } : body;
      // Tokens are sealed anew each time; the attempt is identified by the amount and the invoice they stand for.
      const key = session.attempt.keyFor({
        ...asked,
        exchangeQuote: undefined,
        invoiceToken: undefined,
        ...(sameness ? { paymentMobile: sameness } : {}),
      });
      const answer = await api(name, { body: asked, headers: { ...headers, 'idempotency-key': key } });
      if (!answer.ok && isRepeat(answer)) {
        isUnderWay.current = false;
        setState({ at: 'repeat', earlierId: answer.earlierTransactionId, again, left });
        return answer;
      }
      if (answer.ok && !answer.result?.transactionId) {
        // biome-ignore lint/suspicious/noConsole: the only trace of an invalid response
        console.error(`${name} answered without a transaction id`);
        return ownFailure(ownCodes.noTransactionId);
      }
      if (!answer.ok && isOrderPaid(answer)) toStatus(answer.earlierTransactionId);
      if (!answer.ok && answer.field === 'exchangeQuote') order.charged?.renew?.();
      if (!answer.ok) track('failure', 'payment', String(answer.code));
      if (answer.ok) session.paid.remember(answer.result.transactionId, ordered(order));
      return answer;
    },

    /** From here on money may move, so the order is marked before anything is sent. */
    async process(
      name: Processing,
      body: BodyOf<'process'>,
      headers?: Record<string, string>,
    ): Promise<Answer<ResultOf<'process'>>> {
      const { transactionId } = body;
      session.submitted.write(transactionId);
      const proof = fresh.current?.transactionId === transactionId ? { uniqueCode: fresh.current.uniqueCode } : {};
      const answer = await api(name, { body: { ...body, ...proof }, ...(headers ? { headers } : {}) });
      if (!answer.ok && answer.code === errorCodes.codeNeeded) {
        session.submitted.clear();
        const uniqueCode = await new Promise<string | null>((resolve) => {
          setState({ at: 'code', transactionId, number: body.paymentMobile ?? '', answer: resolve });
        });
        if (uniqueCode === null) return answer;
        fresh.current = { transactionId, uniqueCode };
        setState({ at: 'busy' });
        // An encrypted PIN is valid for one call: it is asked for again, and sent with the code.
        if (name === 'authProcess') return ownFailure(ownCodes.pinAgain);
        return this.process(name, body, headers);
      }
      if (!answer.ok && isOrderPaid(answer)) toStatus(answer.earlierTransactionId);
      if (!answer.ok && closedByProof.includes(answer.code)) session.attempt.clear();
      if (!answer.ok && !isUnclear(answer)) session.submitted.clear();
      return answer;
    },

    /** The status page has the actual state, also when the last response was lost. */
    follow(transactionId: string, processed: Answer<ResultOf<'process'>>, asked?: Asked) {
      if (asked && processed.ok && processed.result.status === 'IN_PROCESS' && !processed.result.unclear)
        setState({ at: 'waiting', transactionId, ...asked });
      else if (processed.ok || isUnclear(processed)) toStatus(transactionId);
      else fail(processed);
    },

    /**
     * Another number is another attempt of the same order: if both are approved, one of them is refunded. The same
     * number again is the same attempt, and its phone is not asked twice.
     */
    correct() {
      if (state.at !== 'waiting') return;
      session.submitted.clear();
      isUnderWay.current = false;
      setState({ at: 'form', failure: null, isCorrected: true });
    },

    payAgain() {
      if (state.at !== 'repeat') return;
      isRepeatMeant.current = true;
      state.again();
    },

    leaveQuestion() {
      if (state.at === 'repeat') state.left?.();
      fail(null);
    },
  };
}

export function isRepeat(failure: Failure): failure is Failure & { earlierTransactionId: string } {
  return failure.code === errorCodes.paidRecently && failure.earlierTransactionId !== undefined;
}

/** Paid meanwhile, in another tab or on a reopened gateway page: shows that payment. */
function isOrderPaid(failure: Failure): failure is Failure & { earlierTransactionId: string } {
  return failure.code === errorCodes.orderPaid && failure.earlierTransactionId !== undefined;
}

export type CheckoutActions = ReturnType<typeof useCheckout>;

/** The order without how it was paid, to be repeated another day at another rate. */
function ordered({ charged: _, ...order }: PaymentOrder): QueryData {
  return order;
}

/** Without script the refusal comes back with the form. */
function postedFailure(text: string | undefined): Failure | null {
  return text ? (JSON.parse(text) as Failure) : null;
}
