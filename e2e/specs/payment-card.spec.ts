import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { callUrl, isCall, recordCalls } from '../fixtures/portal.ts';
import { expectBooks } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  fact,
  moneyHeading,
  numberField,
  open,
  openOrder,
  payButton,
  scriptReady,
  way,
} from '../fixtures/walk.ts';

const cards = { declines: '4000000000000002', asksCode: '4000000000003220' };
const client = 'client@example.mg';

const email = (page: Page) => page.getByLabel('Email');
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const thanks = (page: Page) => page.getByRole('heading', { name: 'Thank you' });

/** From an order to the gateway's hosted page; returns the payment's id. */
async function toGateway(page: Page, line: string, route = 'card'): Promise<string> {
  await openOrder(page, orderFor(line), `/payment/start/${route}`);
  await email(page).fill(client);
  const processed = page.waitForRequest(isCall('process'));
  await goOn(page).click();
  const { transactionId } = (await processed).postDataJSON();
  await expect(page.getByRole('heading', { name: /^Pay / })).toBeVisible();
  return transactionId;
}

async function typeCard(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/39');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay / }).click();
}

test('CRD-3 PAY-7 PAY-9 the gateway’s page declines, asks for a code, pays and redirects to the status page, and nothing is paid twice', async ({
  page,
}) => {
  const initiations = recordCalls(page, 'initiate');
  const processes = recordCalls(page, 'process');
  const id = await toGateway(page, freshLine());
  expect(new URL(page.url()).pathname).toMatch(/^\/card\/pay\//);
  expect(initiations[0]?.body).toMatchObject({
    paymentMode: 'PAYMENT_GATEWAY',
    paymentGateway: 'CARD',
    emailId: client,
    paymentMobile: '',
  });
  expect(processes[0]?.body).toMatchObject({ transactionId: id, paymentGateway: 'CARD' });
  await typeCard(page, cards.declines);
  await expect(page.getByRole('alert')).toContainText('declined');
  await expectBooks(id, {}, 'card');
  await typeCard(page, cards.asksCode);
  await page.getByLabel('Code from your bank').fill('123456');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(thanks(page)).toBeVisible();
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'card');

  // However the page is left, the order is over.
  await page.goto('/payment/start/card');
  await expect(page.getByText('There is nothing to pay for here')).toBeVisible();
  await expect(goOn(page)).toBeHidden();
});

test('CRD-3 MNY-3 MNY-7 leaving the gateway without paying keeps the order, of which home tells, and which another payment method pays in one tap, without a question', async ({
  page,
}) => {
  const id = await toGateway(page, freshLine());
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(page.getByRole('heading', { name: 'In Processing' })).toBeVisible();
  await expect(moneyHeading(page)).toBeVisible();
  const isLeft = page.getByText('You came back from the bank’s page without paying.');
  await expect(isLeft).toBeVisible();
  await page.goto(`/payment/status?id=${id}`);
  await expect(isLeft).toBeVisible();
  await scriptReady(page);
  await expectBooks(id, {}, 'card');
  await open(page, '/');
  await page
    .getByRole('region', { name: 'A payment is still open' })
    .getByRole('link', { name: 'See this payment' })
    .click();
  await expect(isLeft).toBeVisible();
  await page.getByRole('link', { name: 'Pay another way' }).click();
  await chooseWay(page, 'Fanilo Money');
  await payButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Processing' }).or(thanks(page))).toBeVisible();
});

test('CRD-3 APP-14 after Cancel at a gateway another payment method has the email that was typed', async ({ page }) => {
  for (const [name, other] of [
    ['Debit/Credit Card', 'MPESA'],
    ['Orange Money', 'Airtime'],
  ] as const) {
    await open(page, '/prepaid-recharge');
    await numberField(page).fill(freshLine());
    await amountField(page).fill('1000');
    await buyButton(page).click();
    await chooseWay(page, name);
    await email(page).fill(client);
    await goOn(page).click();
    await page.getByRole('link', { name: /^Cancel/ }).click();
    await expect(page).toHaveURL(/\/payment\/status\?id=/);
    await scriptReady(page);
    await page.getByRole('link', { name: 'Pay another way' }).click();
    await chooseWay(page, other);
    await expect(email(page)).toHaveValue(client);
  }
});

test('CRD-3 D20 Orange Money is a payment method and a page of its own, not a card @desktop', async ({ page }) => {
  const line = freshLine();
  await openOrder(page, orderFor(line), '/payment/start');
  await expect(way(page, 'Debit/Credit Card')).not.toContainText('Orange Money');
  await chooseWay(page, 'Orange Money');
  await expect(way(page, 'Orange Money').getByText('You confirm on Orange Money’s own page')).toBeVisible();
  await expect(way(page, 'Orange Money')).not.toContainText('card');
  const id = await toGateway(page, line, 'orange-money');
  expect(new URL(page.url()).pathname).toMatch(/^\/orange\/pay\//);
  await page.getByLabel('Orange Money number').fill(`0${line}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('One-time code').fill('1234');
  await page.getByRole('button', { name: /^Confirm/ }).click();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(thanks(page)).toBeVisible();
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'orange');
  await expect(fact(page, 'Way to pay')).toHaveText('Orange Money');
  await expect(fact(page, 'Transaction id')).not.toHaveText(id);
});

test('PAY-9 MNY-3 Back from the gateway shows that the order is being paid, and offers another payment method after a question', async ({
  page,
}) => {
  const line = freshLine();
  const id = await toGateway(page, line);
  await page.goBack();
  await expect(page.getByText('A payment for this order is already under way')).toBeVisible();
  await expect(goOn(page)).toBeHidden();
  await expect(page.getByRole('link', { name: 'See this payment' })).toHaveAttribute('href', new RegExp(id));
  await page.getByRole('button', { name: 'Pay another way' }).click();
  await chooseWay(page, 'Fanilo Money');
  await expect(fact(page, 'Final amount')).toHaveText('MGA 1,000');
  await payButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Processing' }).or(thanks(page))).toBeVisible();
});

test('CRD-3 a request to a slow gateway is retried, and a double click starts one payment', async ({ page }) => {
  const initiations = recordCalls(page, 'initiate');
  await openOrder(page, orderFor(freshLine()), '/payment/start/card');
  await expect(way(page, 'Debit/Credit Card').getByLabel('Email')).toBeVisible();
  await expect(goOn(page), 'its form stands open on a phone').toBeInViewport();
  await page.route(
    callUrl('process'),
    async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const { redirectUrl: _, ...result } = json.result;
      await route.fulfill({ response, json: { ...json, result: { ...result, next: 'await' } } });
    },
    { times: 1 },
  );
  await email(page).fill(client);
  await goOn(page).dblclick();
  await expect(page.getByLabel('Card number')).toBeVisible();
  expect(initiations).toHaveLength(1);
});
