import type {
  Charge,
  Delivery,
  DeliveryLookup,
  DeliveryOutcome,
  EnquiryOutcome,
  Fulfilment,
  PaymentGateway,
  RefundOutcome,
  StartOutcome,
} from '../connectors/ports.ts';

type Asked = Parameters<PaymentGateway['enquire']>[0];
type GivenBack = Parameters<PaymentGateway['refund']>[0];
type Answer<Question, Outcome> = (question: Question) => Outcome | Promise<Outcome>;

/** A provider with outcomes set by the test, which records every call. */
export interface ScriptedGateway extends PaymentGateway {
  calls: { start: Charge[]; enquire: Asked[]; refund: GivenBack[] };
  answers: {
    start: Answer<Charge, StartOutcome>;
    enquire: Answer<Asked, EnquiryOutcome>;
    refund: Answer<GivenBack, RefundOutcome>;
  };
}

/** Its callbacks are `{"id": …, "key": …}`; the key "genuine" stands for a valid signature. */
export function scriptedGateway(name = 'wallet'): ScriptedGateway {
  const calls: ScriptedGateway['calls'] = { start: [], enquire: [], refund: [] };
  const answers: ScriptedGateway['answers'] = {
    start: () => ({ kind: 'await' }),
    enquire: () => ({ kind: 'pending' }),
    refund: () => ({ kind: 'refunded' }),
  };
  return {
    name,
    waitingFor: 'payer',
    calls,
    answers,
    async start(charge) {
      calls.start.push(charge);
      return answers.start(charge);
    },
    async enquire(asked) {
      calls.enquire.push(asked);
      return answers.enquire(asked);
    },
    async refund(given) {
      calls.refund.push(given);
      return answers.refund(given);
    },
    parseCallback(body) {
      try {
        const { id, key } = JSON.parse(body.toString('utf8')) as { id?: string; key?: string };
        return { reference: id ?? null, signed: key === 'genuine' };
      } catch {
        return { reference: null, signed: false };
      }
    },
  };
}

export interface ScriptedFulfilment extends Fulfilment {
  calls: { deliver: Delivery[]; findDelivery: Delivery[] };
  answers: { deliver: Answer<Delivery, DeliveryOutcome>; findDelivery: Answer<Delivery, DeliveryLookup> };
}

export function scriptedFulfilment(): ScriptedFulfilment {
  const calls: ScriptedFulfilment['calls'] = { deliver: [], findDelivery: [] };
  const answers: ScriptedFulfilment['answers'] = {
    deliver: () => ({ kind: 'delivered', providerReference: 'delivery-1' }),
    findDelivery: () => ({ kind: 'notFound' }),
  };
  return {
    calls,
    answers,
    async deliver(delivery) {
      calls.deliver.push(delivery);
      return answers.deliver(delivery);
    },
    async findDelivery(delivery) {
      calls.findDelivery.push(delivery);
      return answers.findDelivery(delivery);
    },
  };
}

/** Returns the outcomes one after the other, then the last one for ever. */
export function inTurn<Outcome>(...outcomes: [Outcome, ...Outcome[]]): () => Outcome {
  let next = 0;
  return () => outcomes[Math.min(next++, outcomes.length - 1)] as Outcome;
}

/** Never responds by itself. The test may resolve it, or leave it pending like a call cut off by a crash. */
export function hanging<Outcome>(): { answer: () => Promise<Outcome>; resolve: (outcome: Outcome) => void } {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  return { answer: () => promise, resolve };
}
