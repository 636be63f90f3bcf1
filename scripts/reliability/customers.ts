import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallName, callPath, calls } from '../../contract/calls.ts';
import type { Random } from '../../server/src/simulation/random.ts';
import { patience } from '../patience.ts';

/** What the portal stated to a customer about one payment; all of it has to stay true. */
export interface SeenPayment {
  id: string;
  isMpesa: boolean;
  /** In order. */
  statuses: string[];
  isProcessed: boolean;
  isFinal: boolean;
  /** Its final status before the database was restored. */
  finalStatus: string | null;
}

export interface Customers {
  payments: ReadonlyMap<string, SeenPayment>;
  counts: { requests: number; failedRequests: number; gaveUp: number };
  /** Requests without a response, for diagnosis. */
  failures: string[];
  /** Responses that no customer may get, whatever breaks. */
  surprises: string[];
  /** Polls every payment that is not final; returns how many still are not. */
  askAll(): Promise<number>;
  /** Customers who left after ordering pay after all. */
  comeBack(): Promise<void>;
  /** After a restore: payments that are not final may repeat earlier statuses. */
  startAnew(): void;
  /** Stops ordering, after finishing what is in flight. */
  stop(): Promise<void>;
}

export interface CustomersOptions {
  url: string;
  random: Random;
  customers: number;
  /** Of the operator's own wallet. */
  walletMode: string;
  /** How many of them leave after ordering. */
  leaves?: number;
  /** How long a customer retries a request before leaving. */
  patienceMs?: number;
}

/** Lines of the sandbox with special behaviour, with the weight of each. */
const lines: readonly [number: string, weight: number][] = [
  ['390000004', 1],
  ['390000007', 1],
  ['390000008', 1],
  ['390000012', 2],
  ['390000013', 2],
];
const ordinaryWeight = 10;
const requestLimitMs = patience(10_000);
const pollMs = 250;
const pollsForOnePayment = 16;

const rank: Record<string, number> = {
  REQUEST_REGISTERED: 0,
  IN_PROCESS: 1,
  ALREADY_PROCESSED: 1,
  REQUEST_RAISED: 2,
  FAILED: 3,
  SUCCESS: 3,
};

interface Answer {
  status: number;
  result: Record<string, unknown>;
}

/** Customers who buy airtime over HTTP, one order after the other, and retry without a response. */
export function startCustomers(options: CustomersOptions): Customers {
  const { random, url, patienceMs = 60_000 } = options;
  const payments = new Map<string, SeenPayment>();
  const counts = { requests: 0, failedRequests: 0, gaveUp: 0 };
  const failures: string[] = [];
  const surprises: string[] = [];
  let isStopped = false;

  async function once(name: CallName, body: object | null, headers: object, query = ''): Promise<Answer | null> {
    counts.requests += 1;
    try {
      const answer = await fetch(`${url}${callPath(name)}${query}`, {
        method: calls[name].method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(requestLimitMs),
      });
      const { result } = (await answer.json()) as { result: Record<string, unknown> | null };
      if (answer.status < 500) return { status: answer.status, result: result ?? {} };
      failures.push(`${name}: HTTP ${answer.status}`);
    } catch (error) {
      // Refused, interrupted or too slow: all the same to the client.
      failures.push(`${name}: ${error instanceof Error ? (error.cause ?? error) : error}`);
    }
    counts.failedRequests += 1;
    return null;
  }

  /** Retries the same request until there is a response; null when the customer gives up. */
  async function ask(name: CallName, body: object | null, headers: object = {}, query = ''): Promise<Answer | null> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await once(name, body, headers, query);
      if (answer) return answer;
      if (Date.now() > until) break;
      await sleep(random.whole(50, 250));
    }
    counts.gaveUp += 1;
    return null;
  }

  function note(payment: SeenPayment, status: string, isFinal: boolean): void {
    const before = payment.statuses.at(-1);
    if (before !== status) payment.statuses.push(status);
    const isBack = before !== undefined && (rank[status] ?? -1) < (rank[before] ?? -1);
    const isOther = before !== status && rank[before ?? ''] === 3;
    const isContrary = isFinal && payment.finalStatus !== null && payment.finalStatus !== status;
    if (isBack || isOther || isContrary)
      surprises.push(`${payment.id} was told ${before ?? payment.finalStatus} and then ${status}`);
    payment.isFinal = isFinal;
  }

  async function poll(payment: SeenPayment): Promise<void> {
    const answer = await ask('transactionStatus', null, {}, `?tid=${payment.id}`);
    if (!answer) return;
    if (answer.status !== 200) surprises.push(`${payment.id} is not known any more (HTTP ${answer.status})`);
    else note(payment, String(answer.result.status), answer.result.final === true);
  }

  function drawLine(): string {
    const total = ordinaryWeight + lines.reduce((sum, [, weight]) => sum + weight, 0);
    let drawn = random.next() * total;
    for (const [number, weight] of lines) {
      drawn -= weight;
      if (drawn < 0) return `0${number}`;
    }
    return `0391${String(random.whole(0, 999_999)).padStart(6, '0')}`;
  }

  async function buy(): Promise<void> {
    const isMpesa = random.chance(0.3);
    const number = drawLine();
    const leaves = random.chance(options.leaves ?? 0.05);
    const order = {
      amount: random.whole(1, 5) * 1_000,
      mobileNumber: number,
      paymentMobile: number,
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: isMpesa ? 'MPESA' : options.walletMode,
    };
    const key = { 'idempotency-key': randomUUID() };
    const initiated = await ask(isMpesa ? 'mpesaInitiate' : 'initiate', order, key);
    if (!initiated) return;
    const id = String(initiated.result.transactionId);
    if (initiated.status !== 200) return void surprises.push(`an order was answered with HTTP ${initiated.status}`);
    if (payments.has(id)) surprises.push(`${id} was given to two orders`);
    const payment: SeenPayment = {
      id,
      isMpesa,
      statuses: [],
      isProcessed: false,
      isFinal: false,
      finalStatus: null,
    };
    payments.set(id, payment);
    if (leaves) return;
    await pay(payment);
    for (
      let count = 0;
      payment.isProcessed && count < pollsForOnePayment && !payment.isFinal && !isStopped;
      count += 1
    ) {
      await sleep(pollMs);
      await poll(payment);
    }
  }

  async function pay(payment: SeenPayment): Promise<void> {
    const { id } = payment;
    const processed = await ask(payment.isMpesa ? 'mpesaProcess' : 'process', { transactionId: id });
    if (!processed) return;
    if (processed.status !== 200) return void surprises.push(`${id} was answered with HTTP ${processed.status}`);
    payment.isProcessed = true;
    note(payment, String(processed.result.status), false);
  }

  const people = Array.from({ length: options.customers }, async () => {
    while (!isStopped) await buy();
  });

  return {
    payments,
    counts,
    failures,
    surprises,
    async askAll() {
      const open = [...payments.values()].filter((payment) => !payment.isFinal);
      const waiting = [...open];
      const worker = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await poll(next);
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      return open.filter((payment) => !payment.isFinal).length;
    },
    startAnew() {
      for (const payment of payments.values()) {
        payment.isFinal = false;
        payment.finalStatus = payment.statuses.findLast((status) => rank[status] === 3) ?? null;
        payment.statuses = [];
      }
    },
    async comeBack() {
      await Promise.all([...payments.values()].filter(({ isProcessed }) => !isProcessed).map(pay));
    },
    async stop() {
      isStopped = true;
      await Promise.all(people);
    },
  };
}
