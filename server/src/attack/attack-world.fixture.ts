import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type CallName, callPath, calls } from '@portal/contract/calls.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { PhoneClient } from '../../../sandbox/src/phone/phone-client.fixture.ts';
import { startSandbox } from '../../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../../sandbox/src/settings.ts';
import type { Config } from '../config/config.ts';
import { testPortal } from '../testing/portal.ts';
import { visitCookie } from '../testing/visit-cookie.ts';

/** The client: its visit and its address. Without a visit it keeps no cookies. */
export interface Sender {
  visit?: string | null;
  ip?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  http: number;
  code: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the result of any call
  result: any;
  // biome-ignore lint/suspicious/noExplicitAny: the details of any error
  error: any;
  text: string;
}

export type AttackWorld = Awaited<ReturnType<typeof attackWorld>>;

/** The portal and the emulated providers, seen from outside. */
export async function attackWorld(
  changes: Partial<Config> = {},
  options: SandboxOptions = {},
  packChanges: Partial<OperatorPack> = {},
) {
  const { brand } = await loadPack(changes.operator ?? 'mg');
  const sandbox = await startSandbox({ approveAfterMs: 100, promptExpiryMs: 3_600_000, ...options });
  const phone = new PhoneClient(sandbox.http);
  let ahead = 0;
  const running = await testPortal(sandbox, changes, () => new Date(Date.now() + ahead), packChanges);
  await running.portal.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = running.portal.http.server.address() as AddressInfo;
  sandbox.setCallbackBase(`http://127.0.0.1:${port}`);

  async function call(name: CallName, sent: unknown, from: Sender = {}): Promise<Answer> {
    const { visit = 'attacker', ip = '203.0.113.1', headers = {} } = from;
    const { method } = calls[name];
    const answer = await running.portal.http.inject({
      method,
      url: callPath(name, brand),
      ...(method === 'GET' ? { query: sent as Record<string, string> } : { payload: sent as object }),
      remoteAddress: ip,
      headers: { lang: 'en', ...(visit === null ? {} : { cookie: visitCookie(visit) }), ...headers },
    });
    const body = answer.body.startsWith('{') ? answer.json() : {};
    return {
      http: answer.statusCode,
      code: body.statusCode,
      result: body.result,
      error: body.error,
      text: answer.body,
    };
  }

  /** The newest code sent to a number; messages about payments may arrive in between. */
  async function newestCode(number: string): Promise<{ id: unknown; otp: string } | null> {
    for (const { id, text } of await phone.messages(number)) {
      const otp = /#(\d{6})$/.exec(text)?.[1];
      if (otp) return { id, otp };
    }
    return null;
  }

  return {
    running,
    phone,
    sandbox: sandbox.http,
    call,
    db: running.database.db,
    port,
    advance(seconds: number) {
      ahead += seconds * 1000;
    },
    /** Sends a code and returns what is needed to verify it. */
    async sentCode(name: 'sendCode' | 'sendInvoiceCode' | 'sendLeadCode', body: object, to: string, from?: Sender) {
      const before = (await newestCode(to))?.id;
      const sent = await call(name, body, from);
      expect(sent.http, sent.text).toBe(200);
      const isNew = async () => {
        const newest = await newestCode(to);
        return newest !== null && newest.id !== before;
      };
      await expect.poll(isNew, { interval: 10 }).toBe(true);
      return { refId: String(sent.result.refId ?? sent.result.otpId), otp: (await newestCode(to))?.otp ?? '' };
    },
    /** Proves a number for a lead; returns what the lead is sent with. */
    async leadProof(number: string, more: object = {}): Promise<string> {
      const { refId, otp } = await this.sentCode('sendLeadCode', leadCodeRequest(number, more), number);
      return (await call('verifyCode', { data: { refId, otp } })).result.uniqueCode;
    },
    async stop() {
      await running.stop();
      await sandbox.stop();
    },
  };
}

/** The request for a lead's code. */
const leadCodeRequest = (number: string, more: object = {}) => ({
  email: 'own@example.mg',
  customerDetails: { fullName: 'Own' },
  requestType: 'HBB',
  msisdn: `0${number}`,
  ...more,
});

/** A lead as the form submits it. */
export const leadOf = (number: string, uniqueCode: string, { address, ...more }: Record<string, unknown> = {}) => ({
  fullName: 'Own Self',
  contactNumber: `0${number}`,
  email: 'own@example.mg',
  feasibility: true,
  address: {
    type: 'INSTALLATION',
    landmark: 'Near the market',
    city: 'antananarivo',
    street1: 'Lot II 12 Analakely',
    country: 'madagascar',
    ...(address as object | undefined),
  },
  plan: { code: 'H50G30', amount: 90_000, currency: 'MGA', description: '50 GB' },
  source: 'WEBPORTAL',
  reference: 'ODU PURCHASE',
  uniqueCode,
  lineType: 'PREPAID',
  consent: true,
  ...more,
});

/** Airtime for this payer, even if the same was bought before. */
export const rechargeOf = (paymentMode: string, payer: string, more: object = {}) => ({
  amount: 1_000,
  mobileNumber: `0${payer}`,
  paymentMobile: `0${payer}`,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode,
  paymentGateway: paymentMode,
  currencyCode: 'MGA',
  confirmRepeat: true,
  ...more,
});

/** A PIN encrypted as the browser does it. */
export function sealPin(
  pin: string,
  transactionId: string,
  { key, keyId, nonce }: { key: string; keyId: string; nonce: string },
) {
  const sealed = publicEncrypt(
    {
      key: createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha256',
      oaepLabel: Buffer.from(transactionId),
    },
    Buffer.from(`${nonce}.${pin}`),
  );
  return { amPin: sealed.toString('base64'), amPinKeyId: keyId };
}

/** Set by `attackTests`. */
export let world: AttackWorld;

/** Truncate, because deleting row by row can deadlock with a message that draws on several rows. */
export const resetLimits = ({ db }: AttackWorld) => sql`truncate rate_limits`.execute(db);

/** Resets the sandbox and the limits before each test. */
export function attackTests(): void {
  beforeAll(async () => {
    world = await attackWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.phone.post('/reset');
    await resetLimits(world);
  });
}
