import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { homePlan, submittedLead } from '../fixtures/lead.ts';
import {
  callPortal,
  callUrl,
  initiationOf,
  isCall,
  paths,
  recordCalls,
  registerPayment,
  startPayment,
} from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { expectMessage, promptOf, sandbox } from '../fixtures/sandbox.ts';
import {
  buyAirtime,
  buyButton,
  buyToPaymentPage,
  chooseWay,
  fact,
  followFooter,
  grouped,
  moneyHeading,
  open,
  openOrder,
  openWithStoppedClock,
  pay,
  payButton,
  scriptReady,
  settled,
  stored,
  toStatusPage,
} from '../fixtures/walk.ts';

const neverAnswers = '390000008';
const masked = (line: string) => `${line.slice(0, 2)} •• ••• ${line.slice(-2)}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const statusOf = async (id: string) => (await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result ?? {};

async function becomes(id: string, status: string) {
  await expect.poll(async () => (await statusOf(id)).status).toBe(status);
}

interface Bills {
  invoices: { invoiceNo: string; invoiceStatus: string; amountDue: number; invoiceToken: string }[];
}

interface Bundle {
  productCode: string;
  description: string;
  amount: number;
}

/** An order that is not a plain recharge, as any client may send it. */
async function registered(line: string, order: object): Promise<string> {
  const { http, envelope } = await callPortal(paths.initiate, { ...initiationOf(line), ...order });
  expect(http, JSON.stringify(envelope)).toBe(200);
  return String(envelope.result?.transactionId);
}

/** Such an order, paid from the line's wallet and delivered. */
async function paid(line: string, order: object): Promise<string> {
  const id = await registered(line, order);
  await startPayment(id);
  await becomes(id, 'SUCCESS');
  return id;
}

/** A payment that waits for its payer's approval, and the prompt on the payer's phone. */
async function waitingPayment(line: string, payer = neverAnswers) {
  const id = await registerPayment(line, 1_000, payer);
  await startPayment(id);
  const prompt = await promptOf(payer, String((await statusOf(id)).reference));
  return { id, prompt };
}

test.describe('texts', () => {
  test('STA-1 STA-2 STA-3 MNY-1 delivered, declined, in process and unknown have their own texts, with every detail', async ({
    page,
  }) => {
    await test.step('a delivered payment shows Thank you, Successful, and every detail', async () => {
      const line = freshLine();
      const id = await registerPayment(line, 1_500);
      await startPayment(id);
      await becomes(id, 'SUCCESS');
      const { reference, refTransactionId } = await statusOf(id);
      await page.goto(`/payment/status?id=${id}`);
      await expect(heading(page, 'Thank you')).toBeVisible();
      await expect(page.getByText(`Dear customer (${masked(line)}),`)).toBeVisible();
      await expect(page.getByText('Your transaction is Successful.')).toBeVisible();
      // The wallet's own reference of the payment.
      expect(refTransactionId).toMatch(/^MP\w+/);
      for (const [label, value] of [
        ['Transaction id', String(refTransactionId)],
        ['Reference', String(reference)],
        ['Payment type', 'PREPAID RECHARGE'],
        ['Status', 'Successful'],
        ['Amount', 'MGA 1,500'],
        ['Mobile number', `+261 ${masked(line)}`],
      ] as const)
        await expect(fact(page, label), label).toHaveText(value);
      await expect(page.getByText(/^\*/)).toBeHidden();
      const phone = page.viewportSize() ?? { width: 360, height: 740 };
      await resize(page, { width: 1280, height: 800 });
      await expect(fact(page, 'Amount')).toBeVisible();
      await resize(page, phone);
    });
    await test.step('a payment in process, which is declined while its page is closed', async () => {
      const { id, prompt } = await waitingPayment(freshLine());
      await open(page, `/payment/status?id=${id}`);
      await expect(heading(page, 'In Processing')).toBeVisible();
      await expect(page.getByText('Your transaction is In Processing.')).toBeVisible();
      await expect(fact(page, 'Status')).toHaveText('In Processing');
      await expect(fact(page, 'Transaction id')).toHaveText(id);
      await page.goto('/robots.txt');
      await sandbox.answer(prompt.id, 'decline');
      await becomes(id, 'FAILED');
      await page.goto(`/payment/status?id=${id}`);
      await expect(heading(page, 'FAILED')).toBeVisible();
      await expect(page.getByText('Your transaction is Unsuccessful.')).toBeVisible();
      await expect(fact(page, 'Status')).toHaveText('Unsuccessful');
      await expect(page.getByText(/^\* The payment was not approved/)).toBeVisible();
      await expect(page.getByText('Your money was not taken.')).toBeVisible();
      const notTaken = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Not taken' });
      await expect(notTaken).toHaveText(/\d{1,2}:\d{2}/);
    });
    await test.step('an unknown payment is reported plainly, with a link to go on', async () => {
      const answer = await page.goto('/payment/status?id=ABCDEFGHIJKLMNOPQRSTUVWXYZ');
      expect(answer?.status()).toBe(404);
      await expect(page.getByText('We do not know this payment').first()).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: 'Go to the home page' })).toBeVisible();
    });
  });

  for (const javaScriptEnabled of [true, false])
    test(`MNY-8 APP-15 a payment whose page was closed is found again by the reference of its SMS, however it is written; other numbers are explained and stay in the field, ${javaScriptEnabled ? 'with' : 'without'} script`, async ({
      browser,
      baseURL,
    }) => {
      const context = await browser.newContext({ baseURL, javaScriptEnabled });
      const page = await context.newPage();
      const id = await registerPayment(freshLine());
      const { reference } = await statusOf(id);
      await page.goto('/');
      await followFooter(page, 'Where is my payment?');
      await expect(heading(page, 'Where is my payment?')).toBeVisible();
      const look = async (typed: string, answer: string) => {
        await page.getByLabel('Reference').fill(typed);
        await page.getByRole('button', { name: 'Show the payment' }).click();
        await expect(page.getByRole('main').getByRole('status')).toContainText(answer);
        await expect(page.getByLabel('Reference'), 'what was typed can be corrected').toHaveValue(typed);
      };
      await look('0000-0000-0000', 'We do not know this payment');
      await look('7kx2-m9qt', 'This looks like the number of a question');
      await look(`HB${'0'.repeat(20)}`, 'This looks like the number of a request for home broadband');
      await expect(page.getByRole('link', { name: 'Follow the request' })).toHaveAttribute(
        'href',
        `/hbb-lead-status?id=HB${'0'.repeat(20)}`,
      );
      const written = String(reference)
        .toUpperCase()
        .replaceAll(/(.{4})/g, '-$1');
      await page.getByLabel('Reference').fill(` ${written}`);
      await page.getByRole('button', { name: 'Show the payment' }).click();
      await expect(fact(page, 'Reference')).toHaveText(String(reference));
      await context.close();
    });

  test('STA-3 the purchase is named: a bundle by its description, an invoice by account and number as a FIXED INTERNET BILL @desktop', async ({
    page,
  }) => {
    const accountNo = `PA2${String(randomInt(1_000_000_000)).padStart(9, '0')}`;
    const line = freshLine();
    const asked = { accountNo, contactPersonEmailId: `${accountNo.toLowerCase()}@example.mg` };
    const { response } = ((await callPortal(paths.openInvoices, asked)).envelope.result ?? {}) as { response: Bills };
    const invoice = response.invoices.find(({ invoiceStatus }) => invoiceStatus !== 'PAID');
    const bill = await paid(line, {
      transactionType: 'POSTPAID_BILL',
      mobileNumber: '',
      amount: invoice?.amountDue,
      accountId: accountNo,
      invoiceNumber: invoice?.invoiceNo,
      invoiceToken: invoice?.invoiceToken,
    });
    await page.goto(`/payment/status?id=${bill}`);
    await expect(heading(page, 'Thank you')).toBeVisible();
    await expect(fact(page, 'Payment type')).toHaveText('FIXED INTERNET BILL PAYMENT');
    // Paid in another browser: this one only has the link.
    await expect(fact(page, 'Account number')).toHaveText(`•••${accountNo.slice(-4)}`);
    await expect(fact(page, 'Invoice number')).toHaveText(`•••${String(invoice?.invoiceNo).slice(-4)}`);
    await expect(page.getByText(/^\*/)).toBeHidden();

    const wanted = { msisdn: `0${line}`, lineType: 'PREPAID', serviceType: 'DATA' };
    const bundles = (await callPortal(paths.bundles, { data: wanted })).envelope.result as unknown as Bundle[];
    const [bundle] = bundles;
    const order = { transactionType: 'PREPAID_BUNDLES', productCode: bundle?.productCode, amount: bundle?.amount };
    await page.goto(`/payment/status?id=${await paid(line, order)}`);
    await expect(fact(page, 'Payment type')).toHaveText('BUNDLE PURCHASE');
    await expect(fact(page, 'Bundle')).toHaveText(String(bundle?.description));
    await expect(fact(page, 'Invoice number')).toHaveCount(0);
  });
});

test.describe('polling', () => {
  test('STA-5 polls five times at intervals of a second while registered, then more slowly @desktop', async ({
    page,
  }) => {
    const id = await registerPayment(freshLine());
    await openWithStoppedClock(page, `/payment/status?id=${id}&channel=CWAAA&pg=wallet`);
    const polls = recordCalls(page, 'fetch');
    await settled(page);
    for (let expected = 1; expected <= 5; expected++) {
      const answered = page.waitForResponse(isCall('fetch'));
      await page.clock.runFor(1_000);
      await settled(page, answered);
      await expect(heading(page, 'In Processing')).toBeVisible();
      expect(polls).toHaveLength(expected);
    }
    await page.clock.runFor(1_500);
    expect(polls).toHaveLength(5);
    await page.clock.runFor(30_000);
    await expect.poll(() => polls.length).toBeGreaterThan(5);
    expect(polls.map(({ query }) => query)).toEqual(polls.map(() => ({ txnId: id, channel: 'CWAAA', pg: 'wallet' })));
  });
});

test.describe('leaving', () => {
  test('STA-6 MNY-4 Return ends the order and goes to where it began; the last purchases are stored on this device only, repeated in one tap, and deleted on a shared phone', async ({
    page,
  }) => {
    const line = freshLine();
    for (const from of ['/prepaid-recharge', '/']) {
      await buyAirtime(page, line, from === '/' ? 1_200 : 1_000, from);
      await pay(page);
      await toStatusPage(page);
      await expect(heading(page, 'Thank you')).toBeVisible();
      await expect(page).toHaveTitle('Thank you · Fanilo');
      await page.getByRole('link', { name: 'Return' }).click();
      await expect(buyButton(page)).toBeVisible();
      expect(new URL(page.url()).pathname).toBe(from);
      expect(await stored(page, 'QueryData')).toBeNull();
    }
    await open(page, '/');
    const again = page.getByRole('button', { name: `Buy again: Credit, MGA 1,200, for ${grouped(line)}` });
    await again.click();
    await expect(page).toHaveURL(/\/payment\/start/);
    expect(await stored(page, 'QueryData')).toMatchObject({ msisdn: line, amount: 1_200 });
    await open(page, '/');
    await page.getByRole('button', { name: 'This phone is shared' }).click();
    await expect(again).toBeHidden();
    await expect(page.getByText('Nothing is kept on this phone.')).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(line);
  });

  test("STA-6 the browser's Back goes there too, after the wallet's wait, after a reload, and past a card gateway's pages", async ({
    page,
  }) => {
    const expectOver = async () => {
      await page.goBack();
      await expect(page).toHaveURL(/\/prepaid-recharge$/);
      await expect(buyButton(page)).toBeVisible();
      expect(await stored(page, 'QueryData')).toBeNull();
    };
    await buyAirtime(page, freshLine());
    await pay(page);
    await toStatusPage(page);
    await expect(heading(page, 'Thank you')).toBeVisible();
    await expectOver();

    await buyAirtime(page, freshLine());
    await pay(page);
    await toStatusPage(page);
    await expect(heading(page, 'Thank you')).toBeVisible();
    for (let times = 0; times < 2; times++) {
      await page.reload();
      await scriptReady(page);
    }
    await expectOver();

    await buyToPaymentPage(page, freshLine());
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Card number').fill('4111111111111111');
    await page.getByLabel('Expiry').fill('12/39');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
    await expect(heading(page, 'Thank you')).toBeVisible();
    await scriptReady(page);
    await expectOver();

    await page.goto('/payment/start');
    await expect(page.getByText('There is nothing to pay for here')).toBeVisible();
    await expect(payButton(page)).toBeHidden();
  });
});

/** Session storage keys with personal data. */
const traces = (page: Page, line: string) =>
  page.evaluate(
    (words) =>
      Object.entries({ ...sessionStorage })
        .filter(([key, value]) => words.some((word) => `${key} ${value}`.includes(word)))
        .map(([key]) => key),
    [line, 'client@example.mg', 'orderId', 'paymentOpt'],
  );

test.describe('leaving a final status', () => {
  const byCard = async (page: Page) => {
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Card number').fill('4000000000003220');
    await page.getByLabel('Expiry').fill('12/39');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.getByLabel('Code from your bank').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
  };
  const byOrange = async (page: Page, line: string) => {
    await chooseWay(page, 'Orange Money');
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Orange Money number').fill(`0${line}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('One-time code').fill('1234');
    await page.getByRole('button', { name: /^Confirm/ }).click();
  };
  const byMpesa = async (page: Page) => {
    await chooseWay(page, 'MPESA');
    await page.getByRole('button', { name: 'Continue to pay' }).click();
    await toStatusPage(page);
  };

  for (const [name, payBy] of [
    ['a card with a code of the bank', byCard],
    ['Orange Money', byOrange],
    ['MPESA', byMpesa],
  ] as const)
    test(`STA-6 D19 after ${name}: Back leads to the page of the flow, and nothing about the order is kept`, async ({
      page,
    }) => {
      const line = freshLine();
      await buyToPaymentPage(page, line);
      await payBy(page, line);
      await expect(heading(page, 'Thank you')).toBeVisible();
      await scriptReady(page);
      await page.goBack();
      await expect(page).toHaveURL(/\/prepaid-recharge$/);
      await expect(buyButton(page)).toBeVisible();
      expect(await traces(page, line)).toEqual([]);
    });

  test('STA-6 D19 Return deletes everything about the order, and after leaving by another URL it cannot be paid again', async ({
    page,
  }) => {
    const line = freshLine();
    await buyAirtime(page, line);
    await pay(page);
    await toStatusPage(page);
    await expect(heading(page, 'Thank you')).toBeVisible();
    expect(await traces(page, line)).not.toEqual([]);
    await page.getByRole('link', { name: 'Return' }).click();
    await expect(buyButton(page)).toBeVisible();
    expect(await traces(page, line)).toEqual([]);

    await buyAirtime(page, line, 1_200);
    await pay(page);
    await toStatusPage(page);
    await expect(heading(page, 'Thank you')).toBeVisible();
    await page.goto('/about');
    for (const key of ['QueryData', 'paymentAttempt', 'paymentSubmitted']) expect(await stored(page, key)).toBeNull();
  });
});

test.describe('from a bare link', () => {
  test('STA-7 another device sees the payment, with only the ends of the number', async ({
    page,
    browser,
    baseURL,
  }) => {
    const line = freshLine();
    await openOrder(page, orderFor(line));
    const id = await pay(page);
    await toStatusPage(page);
    await expect(page.getByText(`Dear customer (${grouped(line)}),`)).toBeVisible();

    const other = await browser.newContext({ baseURL: baseURL ?? '' });
    const elsewhere = await other.newPage();
    const answers: string[] = [];
    elsewhere.on('response', async (response) => {
      if (isCall('fetch')(response)) answers.push(await response.text());
    });
    const document = await elsewhere.goto(`/payment/status?id=${id}`);
    expect(document?.headers()['cache-control']).toContain('no-store');
    answers.push((await document?.text()) ?? '');
    await expect(elsewhere.getByText(`Dear customer (${masked(line)}),`)).toBeVisible();
    await expect(heading(elsewhere, 'Thank you')).toBeVisible();
    answers.push(await elsewhere.content());
    for (const text of answers) expect(text.replaceAll(/[\s\u00a0]/g, '')).not.toContain(line);
    await other.close();

    const api = await fetch(`${process.env.PORTAL_URL}${paths.fetch}?txnId=${id}`);
    expect(api.headers.get('cache-control')).toContain('no-store');
    expect(await api.text()).not.toContain(line);
  });
});

test.describe('where the money is', () => {
  const steps = (page: Page) => page.getByRole('main').getByRole('listitem');
  const time = /\d{1,2}:\d{2}/;

  test('MNY-1 D1 STA-5 waiting, taken and delivered appear without a reload, each with its time, also in Malagasy, and by SMS', async ({
    page,
  }) => {
    const line = freshLine();
    const { id, prompt } = await waitingPayment(line);
    await open(page, `/payment/status?id=${id}`);
    await expect(page.getByText('We are waiting for your approval on the phone.')).toBeVisible();
    await expect(steps(page).filter({ hasText: 'Waiting for your approval' })).toHaveText(time);
    await expect(steps(page).filter({ hasText: 'Delivered' })).not.toHaveText(time);
    await expect(heading(page, 'In Processing')).toBeVisible();
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await sandbox.answer(prompt.id, 'approve');
    await expect(page.getByText('Paid and delivered.')).toBeVisible();
    await expect(heading(page, 'Thank you')).toBeVisible();
    expect(documents).toEqual([]);
    await expect(page.getByText('This page keeps itself up to date.')).toBeHidden();
    for (const label of ['Waiting for your approval', 'Taken and on its way', 'Delivered'])
      await expect(steps(page).filter({ hasText: label })).toHaveText(time);
    const { reference } = await statusOf(id);
    await expectMessage(neverAnswers, new RegExp(`delivered\\..*${reference}`, 'i'));
    await expectMessage(line, new RegExp(`you received MGA 1,000 of credit.*${reference}`));

    await open(page, `/mg/payment/status?id=${id}`);
    const months = 'Janoary|Febroary|Martsa|Aprily|Mey|Jona|Jolay|Aogositra|Septambra|Oktobra|Novambra|Desambra';
    const inMalagasy = page.getByText(new RegExp(`^\\d{1,2} (${months}) 20\\d\\d, \\d\\d:\\d\\d$`));
    expect(await inMalagasy.count()).toBeGreaterThanOrEqual(2);
  });

  test('MNY-1 a poll without a response keeps the last known state and calls nothing failed @desktop', async ({
    page,
  }) => {
    const { id } = await waitingPayment(freshLine());
    await page.route(callUrl('fetch'), (route) => route.abort());
    const asked = page.waitForRequest(isCall('fetch'));
    await page.goto(`/payment/status?id=${id}`);
    await asked;
    await expect(heading(page, 'In Processing')).toBeVisible();
    await expect(moneyHeading(page)).toBeVisible();
    await expect(page.getByText('Unsuccessful')).toBeHidden();
  });
});

test.describe('the receipt', () => {
  test('STA-8 MNY-5 the receipt opens as a PDF, is shared by its link, printed, and sent; a refund is shown with its times', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const line = freshLine();
    const email = `receipt-${line}@example.mg`;
    const { envelope } = await callPortal(paths.initiate, {
      ...{ amount: 1_500, mobileNumber: `0${line}`, paymentMobile: `0${line}`, emailId: email },
      ...{ transactionType: 'PREPAID_RECHARGE', paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' },
    });
    const id = String(envelope.result?.transactionId);
    await startPayment(id);
    await becomes(id, 'SUCCESS');
    const reference = String((await statusOf(id)).reference);
    await page.addInitScript(() =>
      Object.defineProperty(window, 'print', { value: () => (document.title = 'printed') }),
    );
    await open(page, `/payment/status?id=${id}`);
    const link = page.getByRole('link', { name: 'Receipt (PDF)' });
    const file = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(file.headers()).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByText('The link is copied.')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/payment/status?id=${id}`);
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page).toHaveTitle('printed');
    await expectMessage(
      line,
      new RegExp(`^Fanilo: delivered\\..* ${reference} http\\S+/payment/status\\?id=${reference}$`),
    );
    await expect.poll(async () => (await sandbox.mail(email)).length).toBe(1);
    const [mail] = await sandbox.mail(email);
    expect(mail?.text).toContain(reference);
    expect(mail?.text).not.toContain(line);

    const undelivered = await registerPayment('390000012', 1_500, freshLine());
    await startPayment(undelivered);
    await expect.poll(async () => (await statusOf(undelivered)).moneyState).toBe('givenBack');
    await open(page, `/payment/status?id=${undelivered}`);
    await expect(page.getByText('Your money was given back.')).toBeVisible();
    await expect(page.getByText(/^The refund was started on .*\d{2}:\d{2}/)).toBeVisible();
    await expect(page.getByText(/^The money was back on .*\d{2}:\d{2}/)).toBeVisible();
  });

  test('STA-3 STA-4 an order for home broadband shows its lead id, note and message, gateway or mode, and contact @desktop', async ({
    page,
  }) => {
    const number = freshLine();
    const lead = await submittedLead(number);
    const order = { transactionType: 'HBB_LEADS', productCode: homePlan.code, amount: homePlan.amount };
    const byWallet = { ...order, txnId: lead, emailId: `lead${number}@example.mg` };
    await page.goto(`/payment/status?id=${await paid(number, byWallet)}`);
    await expect(heading(page, 'Thank you')).toBeVisible();
    await expect(fact(page, 'Payment type')).toHaveText('Fanilo Money');
    await expect(fact(page, 'Bundle')).toHaveText(homePlan.description);
    await expect(fact(page, 'Request number')).toHaveText(lead);
    await expect(
      page.getByText('Keep your request number: with it you can follow your request at any time.'),
    ).toBeVisible();
    await expect(page.getByText('We call you to agree on a day for the installation.')).toBeVisible();
    // Once, with the contact: a lead is not a purchase for a number.
    await expect(fact(page, 'Mobile number')).toHaveText(`+261 ${masked(number)}`);
    await expect(fact(page, 'Email')).toHaveText(/^l•+@example\.mg$/);

    const foreign = '340000001';
    const theirs = await submittedLead(foreign, { by: 'mail' });
    const atBank = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', paymentMobile: '' };
    const byCard = { ...order, ...atBank, txnId: theirs, mobileNumber: `0${foreign}` };
    const id = await registered(foreign, byCard);
    await startPayment(id);
    await page.goto(`/payment/status?id=${id}`);
    await expect(fact(page, 'Payment type')).toHaveText('Mastercard, Visa');
    await expect(fact(page, 'Request number')).toHaveText(theirs);
    await expect(fact(page, 'Mobile number')).toHaveCount(0);
    await expect(fact(page, 'Email')).toHaveText(/^l•+@example\.mg$/);
  });
});

test('MNY-3 after a failed payment another payment method is chosen for the same order, and pays it', async ({
  page,
}) => {
  const declines = '390000007';
  await openOrder(page, orderFor(freshLine(), { amount: 1_200 }));
  await pay(page, declines);
  await toStatusPage(page);
  await expect(heading(page, 'FAILED')).toBeVisible();
  await page.getByRole('link', { name: 'Pay another way' }).click();
  await chooseWay(page, 'MPESA');
  await expect(fact(page, 'Final amount')).toHaveText('MGA 1,200');
  await page.reload();
  await page.getByRole('button', { name: 'Continue to pay' }).click();
  await toStatusPage(page);
  await expect(heading(page, 'Thank you')).toBeVisible();
  await page.goto('/payment/start');
  await expect(page.getByText('There is nothing to pay for here')).toBeVisible();
});
