import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, callUrl, initiationOf, isCall, paths, recordCalls, registerPayment } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { debitsOf, expectBooks, promptOf, sandbox } from '../fixtures/sandbox.ts';
import {
  buyAirtime,
  buyButton,
  buyToPaymentPage,
  chooseWay,
  fact,
  fillRecharge,
  grouped,
  moneyHeading,
  open,
  openOrder,
  openWithStoppedClock,
  pay,
  payButton,
  refuseStreams,
  settled,
  toStatusPage,
  way,
  ways,
} from '../fixtures/walk.ts';

const neverAnswers = '390000008';

test('PAY-1 each sub-route opens its payment method, status/{id} shows the payment, and an unknown one is an error view with 404 @desktop', async ({
  page,
}) => {
  await openOrder(page, orderFor(freshLine()));
  const routes = {
    card: 'Debit/Credit Card',
    airtime: 'Airtime',
    'fanilo-money': 'Fanilo Money',
    mpesa: 'MPESA',
    smartcash: 'SmartCash',
  };
  for (const [route, name] of Object.entries(routes)) {
    expect((await page.goto(`/payment/start/${route}`))?.status()).toBe(200);
    await expect(way(page, name).locator('form'), route).toBeVisible();
    await expect(ways(page).locator('form'), route).toHaveCount(1);
  }
  const id = await registerPayment(freshLine());
  await page.goto(`/payment/status/${id}`);
  await expect(moneyHeading(page)).toBeVisible();
  for (const address of ['/payment/nonsense', '/payment/start/nonsense', '/payment/abc', '/payment/other/card']) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    expect(await answer?.text(), address).toContain('Unexpected Application Error!');
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' }), address).toBeVisible();
    await expect(page.getByText('404 Not Found'), address).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to the home page' }), address).toBeVisible();
  }
});

test('PAY-1 PAY-2 without an order the page leads back to the start; payment methods are sections on a phone and a list on the left of a wide screen', async ({
  page,
}) => {
  await test.step('opened without an order', async () => {
    for (const address of ['/payment', '/payment/start', '/payment/start/fanilo-money']) {
      await open(page, address);
      await expect(page.getByText('There is nothing to pay for here')).toBeVisible();
      await page.getByRole('link', { name: 'Start again' }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(buyButton(page)).toBeVisible();
    }
  });
  await test.step('every method is in view at once, and the selected one shows its section', async () => {
    await buyToPaymentPage(page, freshLine());
    const links = ways(page).locator('[data-way]');
    await expect(links).toHaveCount(6);
    const names = ['Debit/Credit Card', 'Orange Money', 'Airtime', 'Fanilo Money', 'MPESA', 'SmartCash'];
    for (const [index, name] of names.entries()) {
      await expect(links.nth(index)).toContainText(name);
      await expect(links.nth(index)).toBeInViewport({ ratio: 1 });
    }
    await expect(ways(page).getByRole('region')).toHaveAccessibleName('Debit/Credit Card');
    await chooseWay(page, 'SmartCash');
    await expect(way(page, 'SmartCash').getByLabel('Registered number')).toBeInViewport();
    await expect(ways(page).locator('form')).toHaveCount(1);
  });
  await test.step('on a wide screen the methods are on the left, and choosing one replaces the history entry', async () => {
    await resize(page, { width: 1280, height: 800 });
    const list = await ways(page)
      .getByRole('link', { name: /Fanilo Money/ })
      .boundingBox();
    const panel = await ways(page).locator('form').boundingBox();
    expect(list && panel && list.x + list.width <= panel.x).toBe(true);
    for (const [name, route] of [
      ['MPESA', 'mpesa'],
      ['Fanilo Money', 'fanilo-money'],
    ] as const) {
      await chooseWay(page, name);
      await expect(page).toHaveURL(new RegExp(`/payment/start/${route}$`));
    }
    await expect(payButton(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/prepaid-recharge$/);
    await expect(buyButton(page)).toBeEnabled();
  });
  await test.step('the arrow leads back to home', async () => {
    await buyButton(page).click();
    await expect(ways(page).getByRole('link').first()).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
  });
});

test.describe('paying', () => {
  test('PAY-4 PAY-7 PAY-9 the summary and the complete payloads of initiate and process are right, and a double click pays once', async ({
    page,
  }) => {
    const line = freshLine();
    const payer = freshLine();
    const initiations = recordCalls(page, 'initiate');
    const processes = recordCalls(page, 'process');
    await buyAirtime(page, line, 2_000);
    await expect(fact(page, 'Mobile number')).toHaveText(`+261 ${grouped(line)}`);
    await expect(fact(page, 'Plan')).toHaveText('MGA 2,000');
    await expect(fact(page, 'Final amount')).toHaveText('MGA 2,000');
    await page.getByLabel('Phone number').fill(payer);
    const initiated = page.waitForResponse(isCall('initiate'));
    await payButton(page).dblclick();
    const id = (await (await initiated).json()).result.transactionId;
    await toStatusPage(page);
    await expect(page).toHaveURL(new RegExp(`id=${id}`));
    expect(initiations.map(({ body }) => body)).toEqual([
      {
        ...initiationOf(line, 2_000),
        paymentMobile: `0${payer}`,
        orderId: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
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
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectBooks(id, { taken: 2_000, delivered: 2_000 });
    expect(await debitsOf(payer)).toEqual([2_000]);
    expect((await sandbox.line(line)).airtime).toBe(12_000);
  });

  test('PAY-8 the server refuses an order that was tampered with @desktop', async () => {
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

  test('PAY-8 MNY-3 an order that was edited in the browser is refused in words, and nothing is taken @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line, { amount: 100 }));
    const refused = page.waitForResponse(isCall('initiate'));
    await payButton(page).click();
    expect((await refused).status()).toBe(422);
    await expect(page.getByRole('alert')).toContainText('Minimum amount should be MGA 500');
    await expect(page.getByRole('alert')).toContainText('Nothing was taken.');
    expect(await debitsOf(line)).toEqual([]);
  });

  test('PAY-9 a reload while the payment is being sent leads to that payment, and pays once', async ({ page }) => {
    const line = freshLine();
    const initiations = recordCalls(page, 'initiate');
    // The server processes the call, the response is lost, and the visitor reloads.
    await page.route(callUrl('process'), async (route) => void (await route.fetch()), { times: 1 });
    await openOrder(page, orderFor(line));
    const sent = page.waitForRequest(isCall('process'));
    const id = await pay(page);
    await sent;
    await expect.poll(() => sandbox.prompts(line)).toHaveLength(1);
    await page.reload();
    const seePayment = page.getByRole('link', { name: 'See this payment' });
    await expect(seePayment).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay MGA' })).toBeHidden();
    // If the payment has ended meanwhile, the page navigates by itself.
    await Promise.race([seePayment.click(), page.waitForURL(new RegExp(`id=${id}`))]);
    await expect(page).toHaveURL(new RegExp(`id=${id}`));
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(initiations).toHaveLength(1);
    expect(initiations[0]?.headers['idempotency-key']).toMatch(/^[\w-]{8,}$/);
    await expectBooks(id, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
    expect(await sandbox.prompts(line)).toHaveLength(1);
  });

  test('PAY-9 a retry after a lost response finds the same payment @desktop', async ({ page }) => {
    const line = freshLine();
    const initiations = recordCalls(page, 'initiate');
    await openOrder(page, orderFor(line));
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
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const keys = new Set(initiations.map(({ headers }) => headers['idempotency-key']));
    expect([initiations.length, keys.size]).toEqual([2, 1]);
    await expectBooks(id, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('MNY-1 MNY-3 a payment whose request was lost on its way says that nothing was asked or taken, and is paid from its page and after Back', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    await page.route(callUrl('process'), (route) => route.abort(), { times: 2 });
    await payButton(page).click();
    const payNow = page.getByRole('link', { name: 'Pay now' });
    await expect(payNow).toBeVisible();
    await expect(page.getByText('Your payment has not reached us.')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Not sent');
    expect(await sandbox.prompts(line)).toHaveLength(0);
    await page.goBack();
    await expect(page).toHaveURL(/\/payment\/start/);
    await expect(page.getByText('A payment for this order')).toHaveCount(0);
    await chooseWay(page, 'Fanilo Money');
    await payButton(page).click();
    await payNow.click();
    await chooseWay(page, 'Fanilo Money');
    const id = await pay(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectBooks(id, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('MNY-1 a payment page that gets no response about an earlier payment calls it neither paid nor open, and asks again', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    await page.route(callUrl('process'), async (route) => void (await route.fetch()), { times: 1 });
    const sent = page.waitForRequest(isCall('process'));
    await pay(page, neverAnswers);
    await sent;
    const isStatus = callUrl('status');
    await page.route(isStatus, (route) => route.abort());
    await page.reload();
    await expect(page.getByText('A payment for this order may be under way')).toBeVisible();
    await expect(page.getByText('This order was already paid')).toHaveCount(0);
    await page.unroute(isStatus);
    await expect(page.getByText('A payment for this order is already under way')).toBeVisible();
  });

  test('PAY-9 MNY-1 an error from a proxy while the payment is processed is not treated as a failed payment', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    await page.route(
      callUrl('process'),
      async (route) => {
        await route.fetch();
        await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
      },
      { times: 1 },
    );
    const id = await pay(page);
    await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectBooks(id, { taken: 1_000, delivered: 1_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('PAY-9 an idempotency key that is reused for another order is refused @desktop', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const order = initiationOf(freshLine());
    const first = await callPortal(paths.initiate, order, key);
    expect((await callPortal(paths.initiate, order, key)).envelope.result).toEqual(first.envelope.result);
    const other = await callPortal(paths.initiate, { ...order, amount: 2_000 }, key);
    expect(other).toMatchObject({ http: 409, envelope: { statusCode: 'KEY_REUSED', status: 'failure' } });
  });
});

test.describe('paying the same again', () => {
  test('MNY-2 a repeated purchase asks first: the earlier payment, or a new one with its own key', async ({ page }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    const first = await pay(page);
    await toStatusPage(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();

    const initiations = recordCalls(page, 'initiate');
    await buyAirtime(page, line);
    await payButton(page).click();
    const question = page.getByRole('dialog', { name: 'You made the same purchase a few minutes ago' });
    await expect(question).toContainText('Nothing was taken now.');
    await question.getByRole('button', { name: 'Close' }).click();
    await expect(question).toBeHidden();
    await payButton(page).click();
    await question.getByRole('button', { name: 'Pay again' }).click();
    await toStatusPage(page);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(new URL(page.url()).searchParams.get('id')).not.toBe(first);
    expect(initiations.map(({ body }) => body.confirmRepeat)).toEqual([undefined, undefined, true]);
    expect(new Set(initiations.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
    expect(await debitsOf(line)).toEqual([1_000, 1_000]);

    await buyAirtime(page, line);
    await payButton(page).click();
    const second = new URL(page.url()).searchParams.get('id');
    await question.getByRole('link', { name: 'Open the earlier payment' }).click();
    await expect(page).toHaveURL(/\/payment\/status\?id=/);
    expect(second).toBeNull();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(await debitsOf(line)).toHaveLength(2);
  });
});

test.describe('the wallet', () => {
  test('WAL-3 Processing blocks the page and without a stream polls every 10 s while in process, then the status page opens @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await refuseStreams(page);
    await openWithStoppedClock(page, '/prepaid-recharge');
    const polls = recordCalls(page, 'status');
    await page.getByLabel('Mobile number').fill(line);
    await page.clock.runFor(300);
    await fillRecharge(page, line, 1_000);
    await buyButton(page).click();
    await chooseWay(page, 'Fanilo Money');
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
      .poll(async () => (await callPortal(`${paths.status}?tid=${id}`)).envelope.result?.status)
      .toBe('FAILED');
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
    await expect(page.getByText('Your money was not taken.')).toBeVisible();
    await expectBooks(id, {});
  });
});
