import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { callPortal, callUrl, initiationOf, isCall, paths, recordCalls, registerPayment } from '../fixtures/portal.ts';
import { debitsOf, expectBooks, freshLine, promptOf, sandbox } from '../fixtures/sandbox.ts';
import {
  buyAirtime,
  buyButton,
  fact,
  fillRecharge,
  grouped,
  moneyHeading,
  open,
  openWithStoppedClock,
  pay,
  payButton,
  settled,
  store,
  stored,
  toStatusPage,
} from '../fixtures/walk.ts';

const neverAnswers = '390000008';
const ways = (page: Page) => page.getByRole('group', { name: 'Ways to pay' });

function orderFor(line: string, more: object = {}) {
  return {
    msisdn: line,
    amount: 1_000,
    currency: 'MGA',
    lineType: 'PREPAID',
    transactionType: 'PREPAID_RECHARGE',
    redirectPage: '/prepaid-recharge',
    ...more,
  };
}

/** The payment page for an order that waits in the session, without the walk to it. */
async function openOrder(page: Page, order: object, route = '/payment/start') {
  await page.goto('/about');
  await store(page, 'QueryData', order);
  await open(page, route);
}

const way = (name: string, type: string) => ({ name, type, paymentMode: type, paymentGateway: type });
const severalWays = [
  way('Vanilla Cards', 'PG'),
  way('Fanilo Money', 'AM'),
  way('Airtime', 'AIRTIME'),
  way('Baobab Cards', 'PG'),
];

const offer = (page: Page, paymentOption: object[]) =>
  page.route(callUrl('paymentOptions'), (route) =>
    route.fulfill({ json: { statusCode: 200, status: 'success', message: 'ok', result: { paymentOption } } }),
  );

test.describe('addresses', () => {
  test('PAY-1 start/fanilo-money opens the wallet; ways that are not offered say so', async ({ page }) => {
    await openOrder(page, orderFor(freshLine()), '/payment/start/fanilo-money');
    await expect(payButton(page)).toBeVisible();
    for (const route of ['card', 'airtime', 'mpesa', 'smartcash']) {
      const answer = await page.goto(`/payment/start/${route}`);
      expect(answer?.status()).toBe(200);
      await expect(page.getByText('This way to pay is not offered here.')).toBeVisible();
      await expect(ways(page).getByRole('link', { name: /Fanilo Money/ })).toBeVisible();
      await expect(payButton(page)).toBeHidden();
    }
  });

  test('PAY-1 status/{id} shows the payment @desktop', async ({ page }) => {
    const id = await registerPayment(freshLine());
    await page.goto(`/payment/status/${id}`);
    await expect(moneyHeading(page)).toBeVisible();
  });

  test('PAY-1 an unknown sub-route is an error view with 404 @desktop', async ({ page }) => {
    for (const address of ['/payment/nonsense', '/payment/start/nonsense', '/payment/abc', '/payment/other/card']) {
      const answer = await page.goto(address);
      expect(answer?.status(), address).toBe(404);
      expect(await answer?.text(), address).toContain('Unexpected Application Error!');
      await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' }), address).toBeVisible();
      await expect(page.getByText('404 Not Found'), address).toBeVisible();
      await expect(page.getByRole('link', { name: 'Go to the home page' }), address).toBeVisible();
    }
  });

  test('PAY-1 opened with nothing to pay for, it leads back to the start', async ({ page }) => {
    for (const address of ['/payment', '/payment/start', '/payment/start/fanilo-money']) {
      await open(page, address);
      await expect(page.getByText('There is nothing to pay for here')).toBeVisible();
      await page.getByRole('link', { name: 'Start again' }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(buyButton(page)).toBeVisible();
    }
  });
});

test.describe('the list of ways', () => {
  test('PAY-2 the ways stand on the left and choosing one replaces the history @desktop', async ({ page }) => {
    await buyAirtime(page, freshLine());
    const list = await ways(page)
      .getByRole('link', { name: /Fanilo Money/ })
      .boundingBox();
    const panel = await payButton(page).boundingBox();
    expect(list && panel && list.x + list.width <= panel.x).toBe(true);
    await ways(page)
      .getByRole('link', { name: /Fanilo Money/ })
      .click();
    await expect(page).toHaveURL(/\/payment\/start\/fanilo-money$/);
    await expect(payButton(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/prepaid-recharge$/);
    await expect(buyButton(page)).toBeVisible();
  });

  test('PAY-2 the arrow leads back to home @phone', async ({ page }) => {
    await buyAirtime(page, freshLine());
    await page.getByRole('main').getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
  });

  test('PAY-2 each type is a section, the open one holding its form @phone', async ({ page }) => {
    await offer(page, severalWays);
    await openOrder(page, orderFor(freshLine()), '/payment/start/fanilo-money');
    const sections = ways(page).getByRole('region');
    await expect(sections).toHaveCount(3);
    for (const name of ['Debit/Credit Card', 'Airtime', 'Fanilo Money'])
      await expect(ways(page).getByRole('region', { name })).toBeVisible();
    await expect(payButton(page)).toBeVisible();
    await expect(ways(page).getByRole('region', { name: 'Fanilo Money' }).getByLabel('Phone number')).toBeVisible();
    await expect(ways(page).getByRole('region', { name: 'Airtime' }).getByLabel('Phone number')).toHaveCount(0);
  });

  test('PAY-3 the ways are those of payment-options, sorted by name, the first card chosen', async ({ page }) => {
    await offer(page, severalWays);
    await openOrder(page, orderFor(freshLine()));
    const links = ways(page).getByRole('link');
    await expect(links).toHaveText([/^Debit\/Credit Card\s*Baobab Cards, Vanilla Cards/, /^Airtime/, /^Fanilo Money/]);
    await expect(links.first()).toHaveAttribute('aria-current', 'page');
    await expect(ways(page).locator('[aria-current]')).toHaveCount(1);
  });

  test('PAY-3 without a card the first way is chosen; the other variant takes channel and pg @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    const options = recordCalls(page, 'paymentOptions');
    await openOrder(page, orderFor(line));
    await expect(ways(page).getByRole('link', { name: /Fanilo Money/ })).toHaveAttribute('aria-current', 'page');
    expect(options.map(({ body }) => body)).toEqual([
      {
        amount: 1_000,
        mobileNumber: `0${line}`,
        subscriberType: 'PREPAID',
        rechargeType: '',
        transactionType: 'PREPAID_RECHARGE',
      },
    ]);
    const variant = paths.paymentOptions.replace('/v1/', '/');
    const { http, envelope } = await callPortal(`${variant}?channel=CWAAA&pg=wallet`, options[0]?.body);
    expect(http).toBe(200);
    expect(envelope.result?.paymentOption).toEqual([expect.objectContaining({ name: 'Fanilo Money', type: 'AM' })]);
  });

  test('ways that could not be loaded are told and asked for again @desktop', async ({ page }) => {
    await page.route(callUrl('paymentOptions'), (route) => route.abort(), { times: 1 });
    await openOrder(page, orderFor(freshLine()));
    await expect(page.getByText('We could not load the ways to pay. Nothing was taken.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payButton(page)).toBeVisible();
  });
});

test.describe('the summary', () => {
  test('PAY-4 a recharge shows number, plan and final amount', async ({ page }) => {
    const line = freshLine();
    await buyAirtime(page, line, 12_500);
    await expect(fact(page, 'Mobile number')).toHaveText(`+261 ${grouped(line)}`);
    await expect(fact(page, 'Plan')).toHaveText('MGA 12,500');
    await expect(fact(page, 'Final amount')).toHaveText('MGA 12,500');
  });

  test('PAY-4 a bundle shows its description and benefits @desktop', async ({ page }) => {
    const bundleInfo = { amount: 5_000, description: 'Weekend 3 GB', data: '3', dataUnit: 'GB' };
    await openOrder(page, orderFor(freshLine(), { amount: 5_000, transactionType: 'PREPAID_BUNDLES', bundleInfo }));
    await expect(fact(page, 'Bundle')).toHaveText('Weekend 3 GB');
    await expect(fact(page, 'Benefits')).toHaveText('3 GB');
    await expect(fact(page, 'Final amount')).toHaveText('MGA 5,000');
  });

  test('PAY-4 an invoice shows account, number, period and due date @desktop', async ({ page }) => {
    const invoiceDetail = {
      accountNo: 'PA1000000001',
      invoiceNo: 'INV-77',
      billingStartDate: '2026-09-01',
      billingEndDate: '2026-09-30',
      dueDate: '2026-10-15',
    };
    await openOrder(page, orderFor(freshLine(), { transactionType: 'POSTPAID_BILL', invoiceDetail }));
    await expect(fact(page, 'Account number')).toHaveText('PA1000000001');
    await expect(fact(page, 'Invoice number')).toHaveText('INV-77');
    for (const label of ['From', 'To', 'Due on']) await expect(fact(page, label)).toHaveText(/2026/);
  });
});

test.describe('paying', () => {
  test('PAY-7 initiate and process carry the whole payloads, and the transaction id given is the one used', async ({
    page,
  }) => {
    const line = freshLine();
    const payer = freshLine();
    const initiations = recordCalls(page, 'initiate');
    const processes = recordCalls(page, 'process');
    await buyAirtime(page, line, 2_000);
    const id = await pay(page, payer);
    await toStatusPage(page);
    await expect(page).toHaveURL(new RegExp(`id=${id}`));
    expect(initiations.map(({ body }) => body)).toEqual([{ ...initiationOf(line, 2_000), paymentMobile: `0${payer}` }]);
    expect(processes.map(({ body }) => body)).toEqual([
      {
        transactionId: id,
        isSubscriberRequest: true,
        paymentGateway: 'FANILO_MONEY',
        paymentMode: 'FANILO_MONEY',
        proccessFlag: true,
        accountId: '',
        accountType: 'PREPAID',
        paymentMobile: `0${payer}`,
      },
    ]);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 20_000 });
    await expectBooks(id, { taken: 2_000, delivered: 2_000 });
    expect(await debitsOf(payer)).toEqual([2_000]);
    expect((await sandbox.line(line)).airtime).toBe(12_000);
  });

  test('PAY-8 what was tampered with is refused by the server @desktop', async () => {
    const line = freshLine();
    const order = initiationOf(line);
    const tampered: [string, object, number, string | number][] = [
      ['an amount below the minimum', { amount: 499 }, 422, 'AMOUNT_OUT_OF_RANGE'],
      ['an amount above the maximum', { amount: 500_001 }, 422, 'AMOUNT_OUT_OF_RANGE'],
      ['a negative amount', { amount: -1_000 }, 422, 'MALFORMED'],
      ['a fraction', { amount: 1_000.5 }, 422, 'MALFORMED'],
      ['another currency', { currencyCode: 'USD' }, 409, 'PRICE_CHANGED'],
      ['another country', { countryCode: '33' }, 409, 'NOT_OFFERED'],
      ['a number that is no line', { mobileNumber: '0390000009' }, 404, 'LINE_UNKNOWN'],
      ['a postpaid line', { mobileNumber: '0390000002' }, 409, 'LINE_NOT_ELIGIBLE'],
      ['another way to pay', { paymentMode: 'FREE' }, 409, 'NOT_OFFERED'],
      ['a bundle priced by the client', { transactionType: 'PREPAID_BUNDLES', productCode: 'D3' }, 409, 'NOT_OFFERED'],
    ];
    for (const [what, change, http, code] of tampered) {
      const answer = await callPortal(paths.initiate, { ...order, ...change }, { 'idempotency-key': randomUUID() });
      expect(answer.http, what).toBe(http);
      expect(answer.envelope, what).toMatchObject({ statusCode: code, status: 'failure' });
      expect(answer.envelope.message, what).not.toBe('');
    }
    expect(await debitsOf(line)).toEqual([]);
  });

  test('PAY-8 an order edited in the browser is refused in words, and nothing is taken @desktop', async ({ page }) => {
    const line = freshLine();
    await buyAirtime(page, line);
    const order = (await stored(page, 'QueryData')) as object;
    await openOrder(page, { ...order, amount: 100 });
    const refused = page.waitForResponse(isCall('initiate'));
    await payButton(page).click();
    expect((await refused).status()).toBe(422);
    await expect(page.getByRole('alert')).toContainText('Minimum amount should be MGA 500');
    await expect(page.getByRole('alert')).toContainText('Nothing was taken.');
    expect(await debitsOf(line)).toEqual([]);
  });

  test('PAY-9 a double click pays once', async ({ page }) => {
    const line = freshLine();
    const initiations = recordCalls(page, 'initiate');
    await buyAirtime(page, line);
    await payButton(page).dblclick();
    await toStatusPage(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 20_000 });
    expect(initiations).toHaveLength(1);
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('PAY-9 a reload while it is being sent and a second Pay find the same payment', async ({ page }) => {
    const line = freshLine();
    const initiations = recordCalls(page, 'initiate');
    // The server acts, its answer never comes, and the visitor reloads.
    await page.route(callUrl('process'), async (route) => void (await route.fetch()), { times: 1 });
    await buyAirtime(page, line);
    const sent = page.waitForRequest(isCall('process'));
    const first = await pay(page);
    await sent;
    await expect.poll(() => sandbox.prompts(line)).toHaveLength(1);
    await page.reload();
    const second = await pay(page);
    await toStatusPage(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 20_000 });
    expect(second).toBe(first);
    const [one, two] = initiations.map(({ headers }) => headers['idempotency-key']);
    expect(one).toMatch(/^[\w-]{8,}$/);
    expect(two).toBe(one);
    await expectBooks(first, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
    expect(await sandbox.prompts(line)).toHaveLength(1);
  });

  test('PAY-9 answers lost after the server acted: the retry finds the same payment @desktop', async ({ page }) => {
    const line = freshLine();
    const initiations = recordCalls(page, 'initiate');
    await buyAirtime(page, line);
    await page.route(
      callUrl('initiate'),
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.route(
      callUrl('process'),
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await payButton(page).click();
    await expect(page.getByRole('alert')).toContainText('Nothing was taken.');
    const id = await pay(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 20_000 });
    const keys = new Set(initiations.map(({ headers }) => headers['idempotency-key']));
    expect([initiations.length, keys.size]).toEqual([2, 1]);
    await expectBooks(id, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('PAY-9 the same key with another order is refused @desktop', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const order = initiationOf(freshLine());
    const first = await callPortal(paths.initiate, order, key);
    expect((await callPortal(paths.initiate, order, key)).envelope.result).toEqual(first.envelope.result);
    const other = await callPortal(paths.initiate, { ...order, amount: 2_000 }, key);
    expect(other).toMatchObject({ http: 409, envelope: { statusCode: 'KEY_REUSED', status: 'failure' } });
  });
});

test.describe('the wallet', () => {
  test('WAL-1 a missing and an incomplete phone number are refused beside the field, before any call', async ({
    page,
  }) => {
    const initiations = recordCalls(page, 'initiate');
    await openOrder(page, orderFor(freshLine()));
    const phone = page.getByLabel('Phone number');
    await phone.fill('');
    await payButton(page).click();
    await expect(page.getByText('Phone No is required', { exact: true })).toBeVisible();
    await expect(phone).toHaveAttribute('aria-invalid', 'true');
    await phone.fill('39000');
    await payButton(page).click();
    await expect(page.getByText('Please enter valid Fanilo number', { exact: true })).toBeVisible();
    expect(initiations).toHaveLength(0);
    await phone.fill(freshLine());
    await expect(page.getByText('Please enter valid Fanilo number')).toBeHidden();
  });

  test('WAL-3 Processing holds the page, asks every 10 s while in process, then the status page tells @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await openWithStoppedClock(page, '/prepaid-recharge');
    const polls = recordCalls(page, 'status');
    await page.getByLabel('Mobile number').fill(line);
    await page.clock.runFor(300);
    await fillRecharge(page, line, 1_000);
    await buyButton(page).click();
    const id = await pay(page, neverAnswers);
    const overlay = page.getByRole('dialog', { name: 'Processing' });
    await expect(overlay).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(overlay).toBeVisible();
    await settled(page);

    for (const expected of [1, 2]) {
      await page.clock.runFor(9_999);
      expect(polls).toHaveLength(expected - 1);
      const answered = page.waitForResponse(isCall('status'));
      await page.clock.runFor(1);
      expect((await (await answered).json()).result.status).toBe('IN_PROCESS');
      await settled(page, answered);
      expect(polls).toHaveLength(expected);
      await expect(overlay).toBeVisible();
    }
    expect(polls[0]?.query.tid).toBe(id);

    const { result } = (await callPortal(`${paths.status}?tid=${id}`)).envelope;
    const prompt = await promptOf(neverAnswers, String(result?.reference));
    await sandbox.answer(prompt.id, 'decline');
    await expect
      .poll(async () => (await callPortal(`${paths.status}?tid=${id}`)).envelope.result?.status, { timeout: 20_000 })
      .toBe('FAILED');
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
    await expect(page.getByText('Your money was not taken.')).toBeVisible();
    await expectBooks(id, {});
  });
});
