import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { brokenRoutes, publicRoutes } from '../fixtures/routes.ts';
import { codeFor, debitsOf, expectBooks, expectMessage, sandbox } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  fact,
  grouped,
  moneyHeading,
  numberField,
  payButton,
} from '../fixtures/walk.ts';

test.use({ javaScriptEnabled: false });

/** A text that was not found shows its key, such as recharge.title. */
const rawKey =
  /(?<![\w./@])(common|home|recharge|bundles|table|payment|status|about|reasons|notices|postpaid|fixed|broadband|otp|help|coverage|stores|map|lead)\.[a-z]\w*(?:\.\w+)*(?![\w/@])/;

const languages = [
  { prefix: '', locale: 'en-GB' },
  { prefix: '/sw', locale: 'fr-FR' },
  { prefix: '/mg', locale: 'mg-MG' },
];

function expectReadable(text: string, main: string, address: string) {
  expect(text.length, address).toBeGreaterThan(300);
  expect(text.match(rawKey)?.[0], address).toBeUndefined();
  expect(text, address).not.toMatch(/\{\w+\}/);
  expect(main.trim().length, address).toBeGreaterThan(20);
}

test('NOS-2 Back after a form that was corrected shows it again, and posts nothing a second time', async ({ page }) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await page.goto('/prepaid-recharge');
  await numberField(page).fill('39000');
  await amountField(page).fill('1500');
  await buyButton(page).click();
  await expect(page.getByText('Invalid Mobile No')).toBeVisible();
  await expect(page).toHaveURL(/\/prepaid-recharge\?form=/);
  expect(page.url()).not.toMatch(/39000|1500/);
  await numberField(page).fill(freshLine());
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  await page.goBack();
  await expect(page.getByText('Invalid Mobile No')).toBeVisible();
  await expect(amountField(page)).toHaveValue(/^1.?500$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/prepaid-recharge$/);
  expect(posts).toHaveLength(2);
});

/** Classes of our style sheets whose rules did not come with the page. */
function unstyled(html: string): string[] {
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, rules]) => rules).join('');
  const classes = [...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
  return [...new Set(classes)].filter((name) => /^_.+_\w{5}_\d+$/.test(name) && !styles.includes(`.${name}`));
}

test('NOS-1 every public page is complete, styled and readable without script @desktop', async ({ page }) => {
  for (const route of publicRoutes) {
    const answer = await page.goto(route);
    expect(answer?.status(), route).toBe(brokenRoutes.includes(route) ? 404 : 200);
    expect(unstyled((await answer?.text()) ?? ''), route).toEqual([]);
    await expect(page.locator('html'), route).toHaveAttribute('lang', 'en-GB');
    await expect(page.getByRole('main').getByRole('heading').first(), route).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link').first(), route).toBeVisible();
    expect(await page.getByRole('contentinfo').getByRole('link').count(), route).toBeGreaterThan(10);
    expectReadable(await page.locator('body').innerText(), await page.getByRole('main').innerText(), route);
  }
});

// Styles are the same in every language, so for the others check the HTML only.
for (const { prefix, locale } of languages.filter((each) => each.prefix !== '')) {
  test(`NOS-1 every public page is complete without script in ${locale} @desktop`, async ({ request }) => {
    for (const route of publicRoutes) {
      const address = prefix + (route === '/' ? '' : route);
      const answer = await request.get(address);
      expect(answer.status(), address).toBe(brokenRoutes.includes(route) ? 404 : 200);
      const html = await answer.text();
      expect(html, address).toContain(`<html lang="${locale}">`);
      const body = html.slice(html.indexOf('<body>')).replaceAll(/<script[\s\S]*?<\/script>/g, '');
      const part = (tag: string) => body.slice(body.indexOf(`<${tag}`), body.indexOf(`</${tag}>`));
      const words = (markup: string) => markup.replaceAll(/<[^>]*>/g, ' ');
      expect(part('main'), address).toMatch(/<h[1-3][^>]*>[^<]*\w/);
      expect(part('header'), address).toContain('<a ');
      expect(part('footer').split('<a ').length, address).toBeGreaterThan(11);
      expectReadable(words(body), words(part('main')), address);
    }
  });
}

/** From home to the form of a payment method, by forms and links only. */
async function toPaymentPage(page: Page, line: string, amount: string, way = 'Fanilo Money') {
  await page.goto('/');
  await numberField(page).fill(line);
  await amountField(page).fill(amount);
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  await chooseWay(page, way);
  await expect(page).toHaveURL(/\/payment\/start\/[\w-]+\?order=/);
}

test.describe('buying', () => {
  test('NOS-2 a recharge from home to Thank you, the waiting page refreshing itself', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '2000');
    await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
    await expect(payButton(page)).toHaveText('Pay MGA 2,000');
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.method() === 'GET') loads.push(request.url());
    });
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(loads.filter((url) => url.includes('/payment/status?id=')).length).toBeGreaterThan(1);
    expect(await debitsOf(line)).toEqual([2_000]);
    expect((await sandbox.line(line)).airtime).toBe(12_000);
    await expectMessage(line, /delivered\. MGA 2,000/);
  });

  test('SEC-30 on a shared phone a status link shows no full number once the visit was ended', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '2000');
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const shown = page.getByRole('main');
    await expect(shown).toContainText(grouped(line));
    const address = page.url();
    await page.getByRole('complementary', { name: 'End my visit' }).getByRole('button').click();
    await expect(page).toHaveURL('/');
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expect(shown).not.toContainText(grouped(line));
  });

  test('NOS-2 a quick amount is used where no amount was typed', async ({ page }) => {
    const line = freshLine();
    await page.goto('/prepaid-recharge');
    await numberField(page).fill(line);
    await page.getByText('5,000', { exact: true }).click();
    await buyButton(page).click();
    await expect(fact(page, 'Final amount')).toHaveText('MGA 5,000');
  });

  test('NOS-2 errors are shown at their fields, and what was typed is kept', async ({ page }) => {
    await page.goto('/');
    const cases = [
      { number: '390000009', amount: '1000', error: 'Invalid Mobile No', field: numberField },
      { number: '12', amount: '1000', error: 'Invalid Mobile No', field: numberField },
      {
        number: '390000002',
        amount: '1000',
        error: 'This is a postpaid line: it is paid by bill. Pay a bill',
        field: numberField,
      },
      { number: freshLine(), amount: '100', error: 'Minimum amount should be MGA 500', field: amountField },
      { number: freshLine(), amount: '999999', error: 'Maximum amount should be MGA 500,000', field: amountField },
      { number: freshLine(), amount: '', error: 'Please enter an amount', field: amountField },
      {
        number: freshLine(),
        amount: '2000.50',
        error: 'Please enter a whole amount in the digits 0 to 9, without cents',
        field: amountField,
      },
    ];
    for (const { number, amount, error, field } of cases) {
      await numberField(page).fill(number);
      await amountField(page).fill(amount);
      await buyButton(page).click();
      await expect(page.getByText(error, { exact: true }), error).toBeVisible();
      await expect(page.getByText('Checking the number…'), 'nothing is').toHaveCount(0);
      await expect(field(page), error).toHaveAttribute('aria-invalid', 'true');
      const note = await field(page).getAttribute('aria-describedby');
      await expect(page.locator(`[id="${note}"]`), error).toContainText(error);
      expect((await numberField(page).inputValue()).replaceAll(' ', ''), error).toBe(number);
      await expect(amountField(page), error).toHaveValue(amount.replace(/^(\d+)(\d{3})$/, '$1\u202f$2'));
    }
  });

  test('NOS-2 a postpaid number leads to its bill, and a prepaid one from the bill to a recharge', async ({ page }) => {
    const main = page.getByRole('main');
    await page.goto('/prepaid-recharge');
    await numberField(page).fill('390000002');
    await amountField(page).fill('1000');
    await buyButton(page).click();
    await main
      .getByText('This is a postpaid line: it is paid by bill.')
      .getByRole('link', { name: 'Pay a bill' })
      .click();
    await expect(page).toHaveURL(/\/postpaid-bill-pay\?msisdn=390000002$/);
    await numberField(page).fill('390000001');
    await main.getByRole('button', { name: 'Fetch your Postpaid Bill' }).click();
    await main.getByText('This is a prepaid line: it has no bill.').getByRole('link', { name: 'Recharge it' }).click();
    await expect(numberField(page)).toHaveValue(grouped('390000001'));
  });

  test('NOS-2 a wrong wallet number is reported at its field, and the order is kept', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000');
    for (const [number, error] of [
      ['', 'Phone No is required'],
      ['39000', 'Please enter valid Fanilo number'],
      // Truncated, it would be another line's number.
      [`${line}7`, 'Please enter valid Fanilo number'],
    ] as const) {
      await page.getByLabel('Phone number').fill(number);
      await payButton(page).click();
      await expect(page.getByText(error, { exact: true })).toBeVisible();
      expect((await page.getByLabel('Phone number').inputValue()).replaceAll(' ', '')).toBe(number);
      await expect(payButton(page)).toHaveText('Pay MGA 1,000');
    }
    await page.getByLabel('Phone number').fill(line);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('NOS-2 PAY-9 a form that is posted twice pays once @desktop', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000');
    const form = page.url();
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    const first = page.url();
    await page.goBack();
    await expect(page).toHaveURL(form);
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    expect(page.url()).toBe(first);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('NOS-2 by MPESA an empty or wrong number is reported at its field, then the push is approved on the phone', async ({
    page,
  }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000', 'MPESA');
    const goOn = page.getByRole('button', { name: 'Continue to pay' });
    await page.getByLabel('Phone number').fill('39000');
    await page.getByLabel('Email').fill('nobody');
    await goOn.click();
    await expect(page.getByText('Please enter valid phone no', { exact: true })).toBeVisible();
    await expect(page.getByText('Invalid Email Id', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('nobody');
    await page.getByLabel('Phone number').fill(line);
    await page.getByLabel('Email').fill('client@example.mg');
    await goOn.click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(await debitsOf(line, 'mpesa')).toEqual([1_000]);
  });

  test('NOS-2 CRD-3 by card the gateway’s page opens and returns, and the email is kept for another payment method @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000', 'Debit/Credit Card');
    const goOn = page.getByRole('button', { name: 'Continue', exact: true });
    await goOn.click();
    await expect(page.getByText('Email is required', { exact: true })).toBeVisible();
    await page.getByLabel('Email').fill('nobody');
    await goOn.click();
    await expect(page.getByText('Invalid Email Id', { exact: true })).toBeVisible();
    await chooseWay(page, 'MPESA');
    await expect(page.getByLabel('Email')).toHaveValue('nobody');
    await chooseWay(page, 'Debit/Credit Card');
    await page.getByLabel('Email').fill('client@example.mg');
    await goOn.click();
    await page.getByLabel('Card number').fill('4111111111111111');
    await page.getByLabel('Expiry').fill('12/39');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
    await expect(page).toHaveURL(/\/payment\/status\?id=/);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const id = String(new URL(page.url()).searchParams.get('id'));
    await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'card');
  });

  test('NOS-2 MNY-2 a repeated purchase asks first: a link to the earlier payment, or the form once more @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000');
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const first = new URL(page.url()).searchParams.get('id');
    await toPaymentPage(page, line, '1000');
    await payButton(page).click();
    await expect(page.getByText('You made the same purchase a few minutes ago')).toBeVisible();
    const earlier = page.getByRole('link', { name: 'Open the earlier payment' });
    await expect(earlier).toHaveAttribute('href', new RegExp(String(first)));
    expect(await debitsOf(line)).toEqual([1_000]);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect(await debitsOf(line)).toEqual([1_000, 1_000]);
  });

  test('NOS-2 AIR-2 airtime pays with a code from an SMS; a wrong code and too little airtime are reported', async ({
    page,
  }) => {
    const [payer, poor, line] = [freshLine(), freshLine(), freshLine()];
    await toPaymentPage(page, line, '1000', 'Airtime');
    const goOn = page.getByRole('button', { name: 'Continue' });
    await goOn.click();
    await expect(page.getByText('Email id is required')).toBeVisible();
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByLabel('Phone number').fill(payer);
    await goOn.click();
    await expect(page.getByText('It pays MGA 1,000 from the credit of that line.')).toBeVisible();
    const pay = page.getByRole('button', { name: 'Pay MGA 1,000' });
    const code = await codeFor(payer);
    await page.getByLabel('Code', { exact: true }).fill(code === '000000' ? '000001' : '000000');
    await pay.click();
    await expect(page.getByText('Please enter correct OTP. Attempts left: 4')).toBeVisible();
    await page.getByLabel('Code', { exact: true }).fill(code);
    const [posted] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST' && request.isNavigationRequest()),
      pay.click(),
    ]);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const id = String(new URL(page.url()).searchParams.get('id'));
    await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'airtime');
    // Submitting the same form again, as by a second click, leads to the same payment.
    const again = await page.request.post(posted.url(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(posted.url()).origin },
      data: posted.postData() ?? '',
      maxRedirects: 0,
    });
    expect([again.status(), again.headers().location]).toEqual([303, expect.stringContaining(id)]);
    expect((await sandbox.line(payer)).airtime).toBe(9_000);
    expect((await sandbox.line(line)).airtime).toBe(11_000);

    await toPaymentPage(page, line, '20000', 'Airtime');
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByLabel('Phone number').fill(poor);
    await goOn.click();
    await page.getByLabel('Code', { exact: true }).fill(await codeFor(poor));
    await page.getByRole('button', { name: 'Pay MGA 20,000' }).click();
    await expect(page.getByText('Looks like you don’t have sufficient balance.')).toBeVisible();
    await expect(page.getByText('Nothing was taken.')).toBeVisible();
    expect((await sandbox.line(poor)).airtime).toBe(10_000);
  });

  test('NOS-2 D1 the page that asks for the airtime code stays in another language and after a reload, and no second code is sent', async ({
    page,
  }) => {
    const [payer, line] = [freshLine(), freshLine()];
    await toPaymentPage(page, line, '1000', 'Airtime');
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByLabel('Phone number').fill(payer);
    await page.getByRole('button', { name: 'Continue' }).click();
    const code = await codeFor(payer);
    await page.getByLabel('Code', { exact: true }).fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Pay MGA 1,000' }).click();
    await expect(page.getByText('Please enter correct OTP')).toBeVisible();
    expect(page.url()).not.toMatch(new RegExp(`${code}|${payer}|00000[01]`));
    await page.getByRole('link', { name: 'Français' }).click();
    await expect(page).toHaveURL(/\/sw\/payment\/start/);
    await expect(page.getByText(/avec le crédit de cette ligne/)).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Code de confirmation')).toHaveValue('');
    expect((await sandbox.messages(payer)).filter((text) => /\b\d{6}\b/.test(text))).toHaveLength(1);
    await page.getByLabel('Code de confirmation').fill(code);
    await page.getByRole('button', { name: /^Payer MGA/ }).click();
    await expect(page.getByRole('heading', { name: 'Merci' })).toBeVisible();
    expect((await sandbox.line(payer)).airtime).toBe(9_000);
  });

  test('NOS-3 SmartCash says that it needs JavaScript, and offers other payment methods @desktop', async ({ page }) => {
    await toPaymentPage(page, freshLine(), '1000', 'SmartCash');
    const said = page.locator('form .without-script > div');
    await expect(said).toBeVisible();
    await expect(said).toContainText('This way to pay needs JavaScript');
    await expect(said).toContainText('Choose another way to pay: your order is kept.');
    await chooseWay(page, 'Fanilo Money');
    await expect(payButton(page)).toHaveText('Pay MGA 1,000');
  });
});
