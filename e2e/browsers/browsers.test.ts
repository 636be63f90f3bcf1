import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type {} from '../../scripts/page-tests.ts';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { openFirefox } from './firefox.ts';
import { createVisitor, type Driver, type Visitor } from './visitor.ts';
import { openWebkit } from './webkit.ts';

const { url } = inject('portal');

const sandbox = async <T>(path: string, method = 'GET'): Promise<T> => {
  const answer = await fetch(`${url}/sandbox/api${path}`, { method });
  return (answer.status === 204 ? undefined : await answer.json()) as T;
};

/** The code in the last message to a line. */
async function codeFor(line: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const messages = await sandbox<{ text: string }[]>(`/lines/${line}/messages`);
      code = messages.map(({ text }) => / (\d{6})\b/.exec(text)?.[1]).findLast(Boolean);
      return code;
    })
    .toBeTruthy();
  return code ?? '';
}

async function pay(visitor: Visitor): Promise<void> {
  await visitor.press('link', '^Fanilo Money');
  await visitor.press('button', '^Pay ');
  await visitor.sees('heading', '^Thank you$');
  expect(await visitor.address()).toMatch(/\/payment\/status\?id=/);
}

describe.each([
  ['Firefox', openFirefox],
  ['WebKit', openWebkit],
])('in %s', (_, open) => {
  let driver: Driver;
  let visitor: Visitor;
  beforeAll(async () => {
    await sandbox('/reset', 'POST');
    driver = await open();
    visitor = createVisitor(driver, url);
  });
  afterAll(() => driver?.close());

  test('BRW-1 airtime is bought, approved and delivered', async () => {
    const line = freshLine();
    const airtimeOf = async () => (await sandbox<{ airtime: number }>(`/lines/${line}`)).airtime;
    const before = await airtimeOf();
    await visitor.open('/prepaid-recharge');
    await visitor.type('^Mobile number', line);
    await visitor.type('^Amount$', '1000');
    await visitor.press('button', '^BUY AIRTIME$');
    await pay(visitor);
    expect(await airtimeOf()).toBe(before + 1_000);
  });

  test('BRW-1 LOK-1 a postpaid bill is opened by its account and paid, in a dialog of the height of its content', async () => {
    await visitor.open('/postpaid-bill-pay?msisdn=390000002');
    await visitor.press('button', '^Fetch your Postpaid Bill$');
    await visitor.press('button', '^Use the account number instead$');
    await visitor.sees('compact', '');
    await visitor.type('^Account number', '1000000002');
    await visitor.press('button', '^Get Outstanding by account number$');
    await visitor.sees('text', '^Rounded up to MGA 45,251$');
    await visitor.press('button', '^MAKE A PAYMENT$');
    await pay(visitor);
  });

  test('BRW-1 home broadband is ordered over form, map and code, and paid', async () => {
    const line = freshLine();
    await visitor.open('/hbb-lead');
    await visitor.tick('50 GB, 30 days');
    await visitor.press('button', '^Proceed$');
    await visitor.type('^Full name', 'Lova Rabe');
    await visitor.type('^Mobile number', line);
    await visitor.type('^Email', `lead${line}@example.mg`);
    await visitor.type('^Town', 'Antananarivo');
    await visitor.press('option', '^Antananarivo$');
    await visitor.type('^Installation address', 'Lot II 12 Analakely');
    await visitor.tick('agree|accept|consent|read');
    await visitor.press('button', '^Continue$');
    await visitor.sees('heading', '^Confirm installation address$');
    await visitor.press('button', '^Continue$');
    await visitor.sees('heading', '^Is everything right\\?$');
    await visitor.sees('compact', '');
    await visitor.press('button', '^Confirm$');
    await visitor.type('[Cc]ode', await codeFor(line));
    await pay(visitor);
  });
});
