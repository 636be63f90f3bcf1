import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallName, callPath } from '../../contract/calls.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { freePort } from '../free-port.ts';
import { runClusterKills } from './cluster-kills.ts';
import { type Site, startSite } from './site.ts';

const newDatabase = () => createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true });

test('REL-4 three portals under load are restarted in turn without a failed request, then killed one by one: every payment ends and matches the books', async () => {
  const { url, drop } = await newDatabase();
  const report = await runClusterKills({ databaseUrl: url, seconds: 10, seed: 1, customers: 6 }).finally(drop);
  expect(report.problems.join('\n')).toBe('');
  expect(report.failedInRollingRestart).toBe(0);
  expect(report.kills).toBeGreaterThan(1);
  expect(report.payments).toBeGreaterThan(10);
});

describe('three portals with the default limits', () => {
  let database: Awaited<ReturnType<typeof newDatabase>>;
  let site: Site;
  let cluster: Cluster;

  beforeAll(async () => {
    database = await newDatabase();
    site = await startSite({ databaseUrl: database.url });
    cluster = await startCluster({
      port: await freePort(),
      folder: site.folder,
      startPortal: (port, env) => site.startPortal(port, { env: { ...env, RATE_LIMIT_SCALE: '1' } }),
    });
    await site.callBackTo(cluster.url);
  });
  afterAll(async () => {
    await cluster?.stop();
    await site?.stop();
    await database?.drop();
  });

  interface Answer {
    status: number;
    statusCode: number | string;
    result: Record<string, unknown>;
  }

  /** `from` is a loopback address; each one is another customer. */
  function post(
    base: string,
    name: CallName,
    body: object,
    options: { headers?: Record<string, string>; from?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(callPath(name), base),
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...options.headers },
          ...(options.from ? { host: '127.0.0.1', localAddress: options.from } : {}),
        },
        async (answer) => {
          let text = '';
          for await (const chunk of answer) text += chunk;
          const envelope = JSON.parse(text) as Omit<Answer, 'status'>;
          resolve({ ...envelope, status: answer.statusCode ?? 0, result: envelope.result ?? {} });
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  }

  const result = async (answer: Promise<Answer>) => {
    const given = await answer;
    expect(given).toMatchObject({ status: 200 });
    return given.result;
  };

  /** Round robin over the portals, bypassing the proxy. */
  const portal = (turn: number) => cluster.urls[turn % cluster.urls.length] ?? '';

  async function codeOf(number: string): Promise<string> {
    for (;;) {
      const messages = await fetch(`${site.sandboxUrl}/sandbox/api/lines/${number.slice(1)}/messages`);
      const [newest] = (await messages.json()) as { text: string }[];
      const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
      if (code) return code;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  test('REL-4 SEC-1 a code accepts five tries in total over all processes', async () => {
    const number = '0395550001';
    const { refId } = await result(post(portal(0), 'sendCode', { data: { msisdn: number } }));
    const code = await codeOf(number);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const tries = Array.from({ length: 15 }, (_, turn) =>
      post(portal(turn), 'verifyCode', { data: { refId, otp: wrong, username: number } }),
    );
    const codes = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(codes.filter((each) => each === 2003)).toHaveLength(4);
    expect(codes.filter((each) => each === 2002)).toHaveLength(11);
    const right = await post(portal(1), 'verifyCode', { data: { refId, otp: code, username: number } });
    expect(right.statusCode).toBe(2002);
  });

  test('REL-4 a payment with a PIN goes on at any process', async () => {
    const number = '0395550002';
    const mode = 'SMARTCASH_SECURE';
    const order = {
      amount: 1_000,
      mobileNumber: number,
      paymentMobile: number,
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: mode,
    };
    const asked = { data: { msisdn: number, paymentMode: mode, payment: order } };
    const { refId } = await result(post(portal(0), 'sendCode', asked));
    const otp = await codeOf(number);
    const verify = { data: { refId, otp, username: number, paymentMode: mode } };
    const { tokenType, accessToken } = await result(post(portal(1), 'verifyUser', verify));
    const headers = { authorization: `${tokenType} ${accessToken}` };
    const { transactionId, encryptionKeyDetails } = await result(post(portal(2), 'authInitiate', order, { headers }));
    const { key, keyId, nonce } = encryptionKeyDetails as Record<string, string>;
    const sealed = publicEncrypt(
      {
        key: createPublicKey({ key: Buffer.from(key ?? '', 'base64'), format: 'der', type: 'spki' }),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
        oaepLabel: Buffer.from(String(transactionId)),
      },
      Buffer.from(`${nonce}.1234`),
    );
    const body = { transactionId, paymentMobile: number, amPin: sealed.toString('base64'), amPinKeyId: keyId };
    await result(post(portal(0), 'authProcess', body, { headers }));
    const again = await result(post(portal(1), 'authProcess', body, { headers }));
    expect(again.status).toBe('ALREADY_PROCESSED');
  });

  test('REL-4 SEC-4 behind the proxy a limit counts the real client address, whatever the X-Forwarded-For header says', async () => {
    const body = { data: { refId: 'none', otp: '000000', username: '0395550003' } };
    const statuses = async (from: string, count: number) => {
      const found: number[] = [];
      for (let turn = 0; turn < count; turn += 10) {
        const batch = Array.from({ length: 10 }, (_, index) => {
          const forged = `203.0.113.${(turn + index) % 250}`;
          return post(cluster.url, 'verifyCode', body, { from, headers: { 'x-forwarded-for': forged } });
        });
        found.push(...(await Promise.all(batch)).map(({ status }) => status));
      }
      return found;
    };
    const windowMs = 600_000;
    const left = windowMs - (Date.now() % windowMs);
    if (left < 30_000) await new Promise((resolve) => setTimeout(resolve, left));
    const first = await statuses('127.0.0.5', 140);
    expect(first.filter((status) => status !== 429)).toHaveLength(120);
    expect(first.slice(130)).toEqual(Array(10).fill(429));
    expect(await statuses('127.0.0.6', 10)).not.toContain(429);
  });
});
