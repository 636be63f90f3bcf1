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
  /** `corrected`: the number that was asked first, where the person goes back to change it. */
  | { at: 'form'; failure: Failure | null; corrected?: string }
  | { at: 'busy' }
  /** The same was bought minutes ago: the person says whether it is meant. */
  | { at: 'repeat'; earlierId: string; again: () => void; left?: (() => void) | undefined }
  /** A fresh code is wanted before money moves; null when the person leaves it. */
  | { at: 'code'; transactionId: string; number: string; answer: (uniqueCode: string | null) => void }
  /** The payer decides on the phone. */
  | ({ at: 'waiting'; transactionId: string } & Asked);

/** Which number was asked for the money, and by which way. */
interface Asked {
  number: string;
  option: PaymentOption;
  /** By a code: it is not mistyped. */
  isProved?: boolean;
}

type Registering = 'initiate' | 'mpesaInitiate' | 'authInitiate';
type Processing = 'process' | 'mpesaProcess' | 'authProcess';

interface Registration {
  body: BodyOf<'initiate'>;
  headers?: Record<string, string>;
  /** What makes this attempt the same as the last, where the body differs each time. */
  sameness?: unknown;
  /** A repeated purchase is asked about first: run when it is meant, and when the question is left open. */
  again: () => void;
  left?: () => void;
}

/** These close their payment with proof that nothing was taken: the next try is another attempt. */
const closedByProof: readonly (string | number)[] = [
  errorCodes.wrongPin,
  errorCodes.wrongSmartCashPin,
  errorCodes.walletLocked,
];

/** What every way to pay has in common: one attempt at a time, one key for each, and where to go afterwards. */
export function useCheckout(order: PaymentOrder) {
  const { api, navigate, query, form, track } = usePage();
  const posted = postedFailure(form?.values.failure);
  const [state, setState] = useState<Checkout>({ at: 'form', failure: posted });
  const isUnderWay = useRef(false);
  /** What the fresh code of a payment proved; a PIN is entered again after it. */
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

    /** A repeated purchase is already being asked about; any other refusal is told above the form. */
    refused(failure: Failure) {
      if (!isRepeat(failure)) fail(failure);
    },

    /** False for a second click, which arrives before the first one has rendered anything. */
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
      // What is sealed is sealed anew each time; the sum and the invoice that it stands for make the attempt what it is.
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
        // biome-ignore lint/suspicious/noConsole: the one trace of an answer that should not exist
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
        // An encrypted PIN is good for one call: it is asked for once more, and goes with the code.
        if (name === 'authProcess') return ownFailure(ownCodes.pinAgain);
        return this.process(name, body, headers);
      }
      if (!answer.ok && isOrderPaid(answer)) toStatus(answer.earlierTransactionId);
      if (!answer.ok && closedByProof.includes(answer.code)) session.attempt.clear();
      if (!answer.ok && !isUnclear(answer)) session.submitted.clear();
      return answer;
    },

    /** The truth is on the status page, also when the last answer was lost on the way. */
    follow(transactionId: string, processed: Answer<ResultOf<'process'>>, asked?: Asked) {
      if (asked && processed.ok && processed.result.status === 'IN_PROCESS')
        setState({ at: 'waiting', transactionId, ...asked });
      else if (processed.ok || isUnclear(processed)) toStatus(transactionId);
      else fail(processed);
    },

    /** Another attempt of the same order: should both be approved, one of them goes back. */
    correct() {
      if (state.at !== 'waiting') return;
      session.submitted.clear();
      session.attempt.clear();
      isUnderWay.current = false;
      setState({ at: 'form', failure: null, corrected: state.number });
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

/** Paid meanwhile, in another tab or on a gateway's page that was opened again: that payment is shown. */
function isOrderPaid(failure: Failure): failure is Failure & { earlierTransactionId: string } {
  return failure.code === errorCodes.orderPaid && failure.earlierTransactionId !== undefined;
}

export type CheckoutActions = ReturnType<typeof useCheckout>;

/** What was ordered, without how it was paid: it may be ordered again another day, at another rate. */
function ordered({ charged: _, ...order }: PaymentOrder): QueryData {
  return order;
}

/** Without script the refusal travels back with the form. */
function postedFailure(text: string | undefined): Failure | null {
  return text ? (JSON.parse(text) as Failure) : null;
}
