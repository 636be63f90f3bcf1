import { type ApprovalKind, approvalKinds } from '@portal/contract/console/approval-kinds.ts';
import { type Kysely, sql } from 'kysely';
import { type Approvable, type Approvables, type Approvals, createApprovals } from '../approvals/approvals.service.ts';
import { billingSystem } from '../connectors/billing/index.ts';
import { cardCheckoutGateway } from '../connectors/card-checkout/index.ts';
import { airtimeGateway } from '../connectors/charging/airtime.ts';
import { chargingSystem } from '../connectors/charging/index.ts';
import { crmLeadReceiver } from '../connectors/crm/index.ts';
import type { HttpClient } from '../connectors/http-client.ts';
import { mpesaGateway } from '../connectors/mpesa/index.ts';
import { orangeMoneyGateway } from '../connectors/orange-money/index.ts';
import { paystackGateway } from '../connectors/paystack/index.ts';
import type { PaymentGateway, StatementSource } from '../connectors/ports.ts';
import { defaultHeaders, defaultPaths } from '../connectors/smartcash/client.ts';
import { smartcashGateway } from '../connectors/smartcash/index.ts';
import { defaultCodes } from '../connectors/smartcash/messages.ts';
import { walletGateway } from '../connectors/wallet/index.ts';
import { clockOf } from '../db/clock.ts';
import { createEpochs, type Epochs } from '../db/epochs.ts';
import type { Schema } from '../db/schema.ts';
import {
  createGoodwill,
  createPayments,
  type Goodwill,
  goodwillCredits,
  makeOpenDue,
  type Payments,
  type PaymentsDependencies,
  referencesBy,
  refunds,
} from '../payments/payments.service.ts';
import type { Process } from './crashing-database.ts';
import type { Reaching } from './state-triggers.ts';
import type { VirtualTime } from './virtual-time.ts';

export const currency = 'NGN';
/** What callbacks are signed with. */
export const callbackKey = 'the key of callbacks';

/** One process of the portal, on a machine whose clock may be wrong: the real services and connectors. */
export interface Worker {
  process: Process;
  payments: Payments;
  approvals: Approvals;
  goodwill: Goodwill;
  epochs: Epochs;
  statements: ReadonlyMap<string, StatementSource>;
  db: Kysely<Schema>;
  machine: { skewMs: number };
}

interface Parts {
  process: Process;
  db: Kysely<Schema>;
  /** The client of its connectors. */
  http: HttpClient;
  time: VirtualTime;
  /** The longest lag of any system, in seconds. */
  lag: number;
  secret: string;
  /** A payment reached a state; a new one has no row yet. */
  reached: (state: string, payment?: Reaching) => void;
  print: (id: string, what: string) => void;
  /** A step failed, perhaps with an expected error. */
  failed: (error: unknown) => void;
}

export function startWorker({ process, db, http, time, lag, secret, reached, print, failed }: Parts): Worker {
  const clock = clockOf(() => time.now);
  const { gateways, statements } = connectorsOn(http, () => time.now, lag);
  const charging = chargingSystem(http, { url: 'http://charging.example', key: 'key', digits: 0, lag });
  const billing = billingSystem(http, {
    ...{ url: 'http://billing.example', key: 'key', currency: { code: currency, digits: 0 }, lag },
  });
  const orders = crmLeadReceiver(http, { url: 'http://crm.example', keyId: 'id', secret: 'secret', digits: 0, lag });
  const epochs = createEpochs(db, clock, async (transaction, { isRestored }) => {
    if (isRestored) await makeOpenDue(transaction);
  });
  const core: PaymentsDependencies = {
    ...{ db, clock, epochs, gateways, charging, billing, orders },
    guards: { submitting: async () => {}, refused: async () => {}, paid: async () => {} },
    returnUrl: () => 'http://portal.example/',
    async notify(transaction, { paymentId, kind }) {
      await sql`insert into simulation_messages values (${paymentId}, ${kind})`.execute(transaction);
    },
    referencesOf: referencesBy(secret),
    // A timeout in real time would make the seed depend on this machine.
    settledLimitMs: 600_000,
    events: {
      created: () => reached('CREATED'),
      moved: (payment, from, event) => {
        print(payment.id, `${from} ${event} ${payment.state}`);
        reached(payment.state, payment);
      },
      credited: (id, state) => print(id, `goodwill ${state}`),
      leaseLost: ({ id }) => print(id, 'lease lost'),
      unclear: ({ id }, call, detail) => print(id, `unclear ${call}: ${detail}`),
      callback: () => {},
      stepFailed: (id, error) => {
        print(id, `step failed: ${(error as Error).message}`);
        failed(error);
      },
    },
  };
  const payments = createPayments(core);
  const goodwill = createGoodwill(core, { most: null });
  // The audit log has its own tests; here only the money is checked.
  const audit = { write: async () => {} };
  const approvals = createApprovals({
    ...{ db, clock, audit },
    kinds: { ...unasked, refund: refunds(payments, audit), goodwill: goodwillCredits(db, payments, goodwill) },
  });
  return { process, payments, approvals, goodwill, epochs, statements, db, machine: { skewMs: 0 } };
}

/** Proposals are not part of this world. */
const unasked = Object.fromEntries(
  approvalKinds.map((kind): [ApprovalKind, Approvable] => [
    kind,
    { propose: 'erase.propose', approve: 'erase.approve', evidence: async () => [], carryOut: async () => {} },
  ]),
) as Approvables;

function connectorsOn(http: HttpClient, now: () => Date, lag: number) {
  const callback = { callbackUrl: 'https://portal.example/callbacks/x', callbackKey };
  const client = { clientId: 'id', clientSecret: 'secret' };
  const checkoutOrigins = ['https://checkout.example'];
  const wallet = walletGateway('wallet', http, {
    ...{ ...client, url: 'http://wallet.example', callbackKeys: [callbackKey], oaepHash: 'sha256', country: 'XX' },
    ...{ currencies: [currency], digitsOf: () => 0, statesAmount: false, codes: {}, lag },
  });
  const mpesa = mpesaGateway('mpesa', http, {
    ...{ url: 'http://mpesa.example', consumerKey: 'k', consumerSecret: 's', shortCode: '174379', passkey: 'p' },
    ...{ initiator: 'i', securityCredential: 'c', timeZone: 'UTC', now, countryCode: '999', currency, digits: 0, lag },
    ...callback,
  });
  const gateways: PaymentGateway[] = [
    wallet,
    mpesa,
    smartcashGateway('smartcash', http, {
      ...{ ...client, url: 'http://smartcash.example', oaepHash: 'sha256', country: 'XX', currency },
      ...{ paths: defaultPaths, headers: defaultHeaders, codes: defaultCodes, lag },
    }),
    cardCheckoutGateway('card', http, {
      ...{ url: 'http://card.example', secretKey: 's', webhookSecrets: [callbackKey], checkoutOrigins },
      ...{ digitsOf: () => 0, now, title: 'Shop', lag },
    }),
    orangeMoneyGateway('orange', http, {
      ...{ ...client, ...callback, url: 'http://orange.example', environment: 'mg', merchantKey: 'm' },
      ...{ checkoutOrigins, digits: 0, lag },
    }),
    paystackGateway('paystack', http, {
      ...{ url: 'http://paystack.example', secretKeys: [callbackKey], publicKey: 'p', scriptUrl: 'https://x.example' },
      ...{ mode: 'test', now, digits: 0, lag },
    }),
    airtimeGateway('airtime', http, { url: 'http://charging.example', key: 'key', digits: 0, lag }),
  ];
  return {
    gateways: new Map(gateways.map((gateway) => [gateway.name, gateway])),
    statements: new Map<string, StatementSource>([
      ['wallet', wallet],
      ['mpesa', mpesa],
    ]),
  };
}
