import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { dialog, enterCode, fillDetails, openDetails, toConfirm } from '../fixtures/lead.ts';
import { expectNothingSticksOut } from '../fixtures/legible.ts';
import { mapReady } from '../fixtures/map.ts';
import { callPortal, paths, registerPayment, startPayment } from '../fixtures/portal.ts';
import { publicRoutes } from '../fixtures/routes.ts';
import { codeFor, promptOf, sandbox } from '../fixtures/sandbox.ts';
import { expectSpoken, faultsIn, hear } from '../fixtures/spoken.ts';
import { open, openOrder, pay, scriptReady, storeOrder } from '../fixtures/walk.ts';

const main = (page: Page) => page.getByRole('main');
const neverAnswers = '390000008';
/** A line that pays and is then refused the credit. */
const refusedCredit = '390000012';

const statusOf = async (id: string) => (await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result ?? {};

async function becomes(id: string, status: string) {
  await expect.poll(async () => (await statusOf(id)).status).toBe(status);
}

async function waitingPayment(line: string) {
  const id = await registerPayment(line, 1_000, neverAnswers);
  await startPayment(id);
  return { id, prompt: await promptOf(neverAnswers, String((await statusOf(id)).reference)) };
}

test('BRW-3 the accessibility tree of every public page is as recorded, without a skipped heading, an unnamed part or repeated words; WCAG 1.4.10 none scrolls sideways at 320 by 256', async ({
  page,
}) => {
  for (const route of publicRoutes) {
    await open(page, route);
    await expectSpoken(main(page), route.replaceAll(/[\W_]+/g, '-').replace(/^-/, '') || 'home');
    await expectNothingSticksOut(page, route);
  }
  await open(page, '/');
  await expectSpoken(page.getByRole('banner'), 'header');
  for (const group of await page.getByRole('contentinfo').locator('summary').all()) await group.click();
  await expectSpoken(page.getByRole('contentinfo'), 'footer');
});

test('BRW-3 the accessibility tree of each step of a purchase is as recorded: number, bundles, proof for a bill, payment methods, code, PIN, not sent, waiting, delivered, refused, refunded; WCAG 1.4.10 neither payment nor status page scrolls sideways at 320 by 256', async ({
  page,
}) => {
  await test.step('a number that cannot be topped up, and one that can', async () => {
    await open(page, '/prepaid-recharge');
    await page.locator('input[name=msisdn]').fill('390000009');
    await page.locator('input[name=amount]').fill('1');
    await expect(page.locator('input[name=msisdn]')).toHaveAttribute('aria-invalid', 'true');
    // Said once nobody types any more.
    await expect(page.locator('input[name=amount]')).toHaveAttribute('aria-invalid', 'true');
    await expectSpoken(main(page), 'step-recharge-errors');
    await page.locator('input[name=msisdn]').fill('390000001');
    await page.locator('input[name=amount]').fill('1000');
    await expect(page.getByText('Prepaid line', { exact: true })).toBeVisible();
    await expect(page.locator('[data-product]').first()).toBeVisible();
    await expectSpoken(main(page), 'step-recharge-known');
  });
  await test.step('bundles of a line', async () => {
    await open(page, '/data-bundle');
    await page.locator('input[name=msisdn]').fill('390000001');
    await expect(page.locator('[data-picks] [data-product]')).toHaveCount(3);
    await expectSpoken(main(page), 'step-bundles-known');
  });
  await test.step('proof for a bill', async () => {
    await open(page, '/postpaid-bill-pay');
    await page.locator('input[name=msisdn]').fill('390000003');
    await page.getByRole('button', { name: 'Fetch your Postpaid Bill' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectSpoken(page.getByRole('dialog'), 'step-bill-proof');
  });
  const line = freshLine();
  await test.step('ways to pay', async () => {
    await storeOrder(page, orderFor(line));
    for (const route of ['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash']) {
      await open(page, `/payment/start/${route}`);
      await expect(page.locator('form input').first()).toBeVisible();
      await expectSpoken(main(page), `step-pay-${route}`);
      await expectNothingSticksOut(page, route);
    }
  });
  await test.step('code and PIN', async () => {
    await page.locator('form button[type=submit]').click();
    await expect(page.locator('dialog input')).toBeVisible();
    await expectSpoken(page.getByRole('dialog'), 'step-code');
    await page.locator('dialog input').fill(await codeFor(line));
    await expect(page.locator('dialog input[type=password]')).toBeVisible();
    await expectSpoken(page.getByRole('dialog'), 'step-pin');
  });
  await test.step('waiting, delivered, refused, given back', async () => {
    await openOrder(page, orderFor(freshLine()));
    await pay(page, neverAnswers);
    await expect(page.locator('dialog[data-page]')).toBeVisible();
    await expectSpoken(page.getByRole('dialog'), 'step-waiting');
    const unsent = await registerPayment(freshLine());
    const { id: waiting } = await waitingPayment(freshLine());
    const delivered = await registerPayment(freshLine());
    await startPayment(delivered);
    await becomes(delivered, 'SUCCESS');
    const refused = await waitingPayment(freshLine());
    await sandbox.answer(refused.prompt.id, 'decline');
    await becomes(refused.id, 'FAILED');
    const back = await waitingPayment(refusedCredit);
    await sandbox.answer(back.prompt.id, 'approve');
    await expect.poll(async () => (await statusOf(back.id)).moneyState).toBe('givenBack');
    for (const [name, id] of Object.entries({ unsent, waiting, delivered, refused: refused.id, back: back.id })) {
      await open(page, `/payment/status?id=${id}`);
      await expect(page.getByRole('button', { name: 'Copy the reference' })).toBeVisible();
      await expectSpoken(main(page), `step-status-${name}`);
      await expectNothingSticksOut(page, name);
    }
  });
});

test('BRW-3 the accessibility tree of each step of a postpaid bill, a fixed-internet bill, a router’s recharge and a request for home broadband is as recorded', async ({
  page,
}) => {
  await test.step('a bill by its account number', async () => {
    await open(page, '/postpaid-bill-pay?msisdn=390000002');
    await page.getByRole('button', { name: 'Fetch your Postpaid Bill' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use the account number instead' }).click();
    await expectSpoken(page.getByRole('dialog'), 'step-bill-account');
    await page.getByRole('dialog').getByLabel('Account number').fill('1000000002');
    await page.getByRole('button', { name: 'Get Outstanding by account number' }).click();
    await expect(page.getByRole('region', { name: 'Your bill' })).toBeVisible();
    await expectSpoken(main(page), 'step-bill-known');
  });
  await test.step('the bills of an account', async () => {
    await open(page, '/orp/fixed-internet');
    await page.getByLabel('Account number').fill('PA1000000001');
    await page.getByLabel('Email').fill('client@example.mg');
    await page.getByRole('button', { name: 'SHOW BILLS' }).click();
    await expect(page.getByRole('table', { name: 'Your bills' })).toBeVisible();
    await expectSpoken(main(page), 'step-fixed-bills');
  });
  await test.step('a router', async () => {
    await open(page, '/broadband-recharge');
    await page.locator('input[name=msisdn]').fill('390000001');
    await expect(page.getByText('This is a mobile line, not a broadband line.')).toBeVisible();
    await expectSpoken(main(page), 'step-router-mobile');
    await page.locator('input[name=msisdn]').fill('390000005');
    await expect(page.getByRole('article').first()).toBeVisible();
    await expectSpoken(main(page), 'step-router-known');
  });
  await test.step('a request for home broadband', async () => {
    const number = freshLine();
    await openDetails(page);
    await expectSpoken(main(page), 'step-lead-details');
    await fillDetails(page, number);
    await toConfirm(page);
    await expectSpoken(dialog(page), 'step-lead-confirm');
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog(page).getByLabel('Code')).toBeVisible();
    await expectSpoken(dialog(page), 'step-lead-code');
    await enterCode(page, await codeFor(number));
    await expect(page).toHaveURL('/payment/start');
    await expect(main(page).getByRole('button', { name: 'Continue' })).toBeVisible();
    await expectSpoken(main(page), 'step-lead-pay');
  });
});

test('BRW-3 the accessibility tree of help, shops, coverage, dealers and tariffs with results is as recorded', async ({
  page,
}) => {
  for (const [name, path] of Object.entries({
    'answer-help': '/gethelp/payments',
    'answer-shops': '/store-locator?q=Morombe',
    'answer-coverage': '/openNetworks?q=Antsirabe',
    'answer-dealers': '/store_finder/dealers?q=ihosy',
    'answer-tariffs': '/table?q=Miaraka',
  })) {
    await open(page, path);
    // Its map is in view at once; the coverage map is not, so it is not loaded.
    if (name === 'answer-shops') await mapReady(page);
    await expectSpoken(main(page), name);
  }
});

test('the checks of an accessibility tree report each fault that is put in', () => {
  expect(faultsIn('- heading "A" [level=1]\n- heading "B" [level=3]')).toHaveLength(1);
  expect(faultsIn('- group:\n  - button "Go"\n- button')).toHaveLength(2);
  expect(faultsIn('- paragraph: Thank you\n- paragraph: Thank you')).toHaveLength(1);
  expect(
    faultsIn('- heading "A" [level=1]\n- heading "B" [level=2]\n- heading "C" [level=3]\n- heading "D" [level=2]'),
  ).toEqual([]);
});

const once = (said: string[], words: string) => said.filter((text) => text.includes(words));

test('BRW-3 waiting and approval are announced once each', async ({ page }) => {
  const announced = await hear(page);
  await openOrder(page, orderFor(freshLine()));
  const id = await pay(page, neverAnswers);
  await expect(page.locator('dialog[data-page]')).toBeVisible();
  const prompt = await promptOf(neverAnswers, String((await statusOf(id)).reference));
  await sandbox.answer(prompt.id, 'approve');
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible();
  await expect(page.locator('textarea')).toBeVisible();
  const said = await announced();
  expect(once(said, 'approve'), said.join('\n')).toHaveLength(1);
  expect(once(said, 'Your transaction is Successful.'), said.join('\n')).toHaveLength(1);
  expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([]);
  // Reopened, the page announces nothing more.
  await page.reload();
  await scriptReady(page);
  await expect(page.locator('textarea')).toBeVisible();
  expect(await announced()).toEqual([]);
});

for (const { what, line, action, words } of [
  { what: 'approved', line: freshLine(), action: 'approve', words: 'Your transaction is Successful.' },
  { what: 'refused', line: freshLine(), action: 'decline', words: 'Your money was not taken.' },
  { what: 'given back', line: refusedCredit, action: 'approve', words: 'Your money was given back.' },
] as const)
  test(`BRW-3 on the page of a payment nothing is announced while it waits, and that it was ${what} once`, async ({
    page,
  }) => {
    const announced = await hear(page);
    const { id, prompt } = await waitingPayment(line);
    await open(page, `/payment/status?id=${id}`);
    await expect(page.locator('textarea')).toBeVisible();
    expect(await announced()).toEqual([]);
    await sandbox.answer(prompt.id, action);
    await expect(page.getByText(words)).toBeVisible();
    await expect.poll(async () => (await statusOf(id)).final).toBe(true);
    const said = await announced();
    expect(once(said, words), said.join('\n')).toHaveLength(1);
    expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([]);
  });
