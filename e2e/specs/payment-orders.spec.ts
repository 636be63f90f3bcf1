import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, isCall, paths } from '../fixtures/portal.ts';
import { expectBooks, promptOf, sandbox } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  fact,
  grouped,
  moneyHeading,
  numberField,
  openOrder,
  pay,
  payButton,
  scriptReady,
  toStatusPage,
  ways,
} from '../fixtures/walk.ts';

const neverAnswers = '390000008';
const declines = '390000007';
const declinedCard = '4000000000000002';
const goodCard = '4111111111111111';

const thanks = (page: Page) => page.getByRole('heading', { name: 'Thank you' });
const otherWay = (page: Page) => page.getByRole('link', { name: 'Pay another way' });
const waiting = (page: Page) => page.getByRole('dialog', { name: 'Processing' });

async function toGateway(page: Page): Promise<string> {
  await page.getByLabel('Email').fill('client@example.mg');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByLabel('Card number')).toBeVisible();
  return page.url();
}

async function typeCard(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/39');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay / }).click();
}

/** Orders 2,000 for a line of its own from home, as one does without script. */
async function orderByForm(page: Page): Promise<string> {
  const line = freshLine();
  await page.goto('/');
  await numberField(page).fill(line);
  await amountField(page).fill('2000');
  await buyButton(page).click();
  return line;
}

const referenceOf = async (id: string) =>
  String((await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result?.reference);
const idOf = (page: Page) => new URL(page.url()).searchParams.get('id') ?? '';

test.describe('MNY-6 one order is one purchase', () => {
  test('money from a card page reopened after the order was paid another way is refunded automatically, and both pages say so', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line), '/payment/start/card');
    const gateway = await toGateway(page);
    await page.getByRole('link', { name: 'Cancel and go back' }).click();
    await expect(moneyHeading(page)).toBeVisible();
    const card = idOf(page);
    await scriptReady(page);
    await otherWay(page).click();
    await chooseWay(page, 'Fanilo Money');
    const wallet = await pay(page);
    await toStatusPage(page);
    await expect(thanks(page)).toBeVisible();

    await page.goto(gateway);
    await typeCard(page, goodCard);
    await expect(page).toHaveURL(new RegExp(card));
    await expect(page.getByText('This order was paid by another payment')).toBeVisible();
    await expect(
      page.getByText(/The money that came for this payment (?:goes back|was given back) to you/),
    ).toBeVisible();
    await expectBooks(card, { taken: 1_000, givenBack: 1_000 }, 'card');
    await expectBooks(wallet, { taken: 1_000, delivered: 1_000 });
    await expect(page.getByText('Your money was given back.')).toBeVisible();
    await scriptReady(page);
    await page.getByRole('link', { name: /^See the other payment/ }).click();
    await expect(page).toHaveURL(new RegExp(wallet));
    await expect(page.getByText('Money came twice for this order')).toBeVisible();
    await expect(page.getByRole('link', { name: /^See the other payment/ })).toHaveAttribute('href', new RegExp(card));
    expect((await sandbox.line(line)).airtime).toBe(11_000);
  });

  test('a second tab that pays the same order is redirected to the first payment, and nothing more is taken', async ({
    page,
    context,
  }) => {
    const line = freshLine();
    const order = orderFor(line);
    await openOrder(page, order);
    const second = await context.newPage();
    await openOrder(second, order);
    const id = await pay(page);
    await toStatusPage(page);
    await expect(thanks(page)).toBeVisible();
    const refused = second.waitForResponse(isCall('initiate'));
    await payButton(second).click();
    expect(await (await refused).json()).toMatchObject({
      statusCode: 'ORDER_PAID',
      error: { earlierTransactionId: id },
    });
    await expect(second).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
    await expect(thanks(second)).toBeVisible();
    expect((await sandbox.line(line)).wallet).toBe(99_000);
  });
});

test.describe('MNY-7 a payment that ended without money', () => {
  test('says so, offers the other payment methods for the same order in one tap, asks no question, and offers no receipt', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    await pay(page, declines);
    await expect(page.getByRole('heading', { name: 'FAILED' })).toBeVisible();
    await expect(page.getByText('Your money was not taken.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Receipt (PDF)' })).toHaveCount(0);
    await otherWay(page).click();
    await expect(ways(page).getByRole('link').first()).toBeVisible();
    await expect(fact(page, 'Final amount')).toHaveText('MGA 1,000');
    await chooseWay(page, 'Fanilo Money');
    await pay(page, line);
    await toStatusPage(page);
    await expect(thanks(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Receipt (PDF)' })).toBeVisible();
  });

  test('a card that the gateway refused finally is reported at once on return', async ({ page }) => {
    await openOrder(page, orderFor(freshLine()), '/payment/start/card');
    await toGateway(page);
    await typeCard(page, declinedCard);
    await expect(page.getByRole('alert')).toContainText('declined');
    await typeCard(page, declinedCard);
    await expect(page.getByRole('heading', { name: 'FAILED' })).toBeVisible();
    await expect(page.getByText('* The payment was declined.')).toBeVisible();
    await expect(otherWay(page)).toBeVisible();
  });

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false });

    test('says so, keeps the order, takes another payment method without a question, and offers no receipt', async ({
      page,
    }) => {
      await orderByForm(page);
      await toGateway(page);
      await typeCard(page, declinedCard);
      await typeCard(page, declinedCard);
      await expect(page.getByRole('heading', { name: 'FAILED' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Receipt (PDF)' })).toHaveCount(0);
      const card = idOf(page);
      await otherWay(page).click();
      await expect(page).toHaveURL(/\/payment\/start\?order=/);
      await expect(fact(page, 'Final amount')).toHaveText('MGA 2,000');
      await chooseWay(page, 'Fanilo Money');
      await payButton(page).click();
      await expect(thanks(page)).toBeVisible();
      await expectBooks(idOf(page), { taken: 2_000, delivered: 2_000 });
      await expectBooks(card, {}, 'card');
    });

    test('when it was left at the gateway, offers the other payment methods, and refunds a late payment on the gateway’s page', async ({
      page,
    }) => {
      const line = await orderByForm(page);
      const gateway = await toGateway(page);
      await page.getByRole('link', { name: 'Cancel and go back' }).click();
      await expect(moneyHeading(page)).toBeVisible();
      const card = idOf(page);
      await otherWay(page).click();
      await chooseWay(page, 'Fanilo Money');
      await payButton(page).click();
      await expect(thanks(page)).toBeVisible();
      await page.goto(gateway);
      await typeCard(page, goodCard);
      await expect(page.getByText('This order was paid by another payment')).toBeVisible();
      await expectBooks(card, { taken: 2_000, givenBack: 2_000 }, 'card');
      expect((await sandbox.line(line)).airtime).toBe(12_000);
    });
  });
});

test('MNY-3 STA-6 after leaving the gateway, Back leads to the order, which another payment method can pay', async ({
  page,
}) => {
  await openOrder(page, orderFor(freshLine()), '/payment/start/card');
  await toGateway(page);
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await expect(moneyHeading(page)).toBeVisible();
  const card = idOf(page);
  await scriptReady(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/payment\/start$/);
  await expect(page.getByText('A payment for this order is already under way')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See this payment' })).toHaveAttribute('href', new RegExp(card));
  await page.getByRole('button', { name: 'Pay another way' }).click();
  await chooseWay(page, 'Fanilo Money');
  const wallet = await pay(page);
  await toStatusPage(page);
  await expect(thanks(page)).toBeVisible();
  await expectBooks(wallet, { taken: 1_000, delivered: 1_000 });
});

test('MNY-3 NOS-4 an order that is sent before hydration is not linked to the payment of an earlier order', async ({
  page,
}) => {
  await openOrder(page, orderFor(freshLine()), '/payment/start/card');
  await toGateway(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await numberField(page).fill(freshLine());
  await amountField(page).fill('4000');
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  release();
  await scriptReady(page);
  await expect(fact(page, 'Final amount')).toHaveText('MGA 4,000');
  await chooseWay(page, 'Fanilo Money');
  await expect(payButton(page)).toBeEnabled();
  await expect(page.getByText('A payment for this order is already under way')).toHaveCount(0);
});

test.describe('MNY-8 waiting for an approval', () => {
  test('names amount, method and number, shows the current state after a reload and when reopened, and ends once it is approved', async ({
    page,
    context,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    const id = await pay(page, neverAnswers);
    const asked = `MGA 1,000 by Fanilo Money, asked from +261 ${grouped(neverAnswers)}`;
    await expect(waiting(page)).toContainText(asked);
    await page.reload();
    await expect(page.getByText('A payment for this order is already under way')).toBeVisible();
    await expect(page.getByText(asked)).toBeVisible();

    const opened = await context.newPage();
    await opened.goto(`/payment/status?id=${id}`);
    await expect(fact(opened, 'Way to pay')).toHaveText('Fanilo Money');
    await expect(fact(opened, 'Number asked to pay')).toHaveText(`+261 ${grouped(neverAnswers)}`);

    await sandbox.answer((await promptOf(neverAnswers, await referenceOf(id))).id, 'approve');
    await expect(thanks(opened)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
    await expect(thanks(page)).toBeVisible();
  });

  test('a visitor who only has the link sees only the ends of the payer’s number', async ({
    page,
    browser,
    baseURL,
  }) => {
    await openOrder(page, orderFor(freshLine()));
    const id = await pay(page, neverAnswers);
    await expect(waiting(page)).toBeVisible();
    const other = await browser.newContext({ baseURL: baseURL ?? '' });
    const elsewhere = await other.newPage();
    await elsewhere.goto(`/payment/status?id=${id}`);
    await expect(fact(elsewhere, 'Number asked to pay')).toHaveText('+261 39 •• ••• 08');
    expect((await elsewhere.content()).replaceAll(/[\s\u00a0]/g, '')).not.toContain(neverAnswers);
    await expect(otherWay(elsewhere)).toHaveCount(0);
    await other.close();
  });

  test('a number that was submitted unchanged is not asked twice, and leads to the waiting payment', async ({
    page,
  }) => {
    await openOrder(page, orderFor(freshLine()));
    const first = await pay(page, neverAnswers);
    await page.getByRole('button', { name: 'Wrong number? Correct it' }).click();
    await expect(page.getByLabel('Phone number')).toBeFocused();
    expect(await pay(page, neverAnswers)).toBe(first);
    await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${first}`));
    const reference = await referenceOf(first);
    const asked = (await sandbox.prompts(neverAnswers)).filter((prompt) => JSON.stringify(prompt).includes(reference));
    expect(asked).toHaveLength(1);
  });

  test('a mistyped number is corrected; if both approve, the order is delivered once and the first payment refunded', async ({
    page,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    const first = await pay(page, neverAnswers);
    await page.getByRole('button', { name: 'Wrong number? Correct it' }).click();
    await expect(page.getByText('Correct the number and send the request again')).toBeVisible();
    await expect(page.getByLabel('Phone number')).toBeFocused();
    const second = await pay(page, line);
    await toStatusPage(page);
    await expect(thanks(page)).toBeVisible();
    await sandbox.answer((await promptOf(neverAnswers, await referenceOf(first))).id, 'approve');
    await expectBooks(first, { taken: 1_000, givenBack: 1_000 });
    await expectBooks(second, { taken: 1_000, delivered: 1_000 });
    await page.reload();
    await expect(page.getByText('Money came twice for this order')).toBeVisible();
  });

  test('a mistyped number is corrected after a reload, on the order’s page and on the payment’s; the same number is not asked twice', async ({
    page,
  }) => {
    const line = freshLine();
    const correct = page.getByText('Wrong number? Correct it');
    const isAsked = page.getByText('Correct the number and send the request again');
    await openOrder(page, orderFor(line));
    const first = await pay(page, neverAnswers);
    await expect(waiting(page)).toBeVisible();
    await page.reload();
    await correct.click();
    await expect(isAsked).toBeVisible();
    await expect(page.getByLabel('Phone number')).toBeFocused();
    expect(await pay(page, neverAnswers)).toBe(first);
    await expect(moneyHeading(page)).toBeVisible();
    await page.reload();
    await scriptReady(page);
    await correct.click();
    await expect(isAsked).toBeVisible();
    const second = await pay(page, line);
    await toStatusPage(page);
    await expect(thanks(page)).toBeVisible();
    await expectBooks(second, { taken: 1_000, delivered: 1_000 });
    await expectBooks(first, {});
  });

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false });

    test('a mistyped number is corrected on the payment’s page', async ({ page }) => {
      const line = await orderByForm(page);
      await chooseWay(page, 'Fanilo Money');
      await page.getByLabel('Phone number').fill(neverAnswers);
      await payButton(page).click();
      await expect(moneyHeading(page)).toBeVisible();
      await page.getByRole('link', { name: 'Wrong number? Correct it' }).click();
      await expect(page.getByText('Correct the number and send the request again')).toBeVisible();
      await page.getByLabel('Phone number').fill(line);
      await payButton(page).click();
      await expect(thanks(page)).toBeVisible();
      expect((await sandbox.line(line)).airtime).toBe(12_000);
    });
  });
});
