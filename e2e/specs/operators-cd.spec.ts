import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { newOperator } from '../../scripts/operator-new.ts';
import { expectNoViolations } from '../fixtures/axe.ts';
import { expectCoverage, expectHelp, expectStores } from '../fixtures/operator-pages.ts';
import { test as base, withStack } from '../fixtures/own-stack.ts';
import { callUrl, isCall, recordCalls } from '../fixtures/portal.ts';
import { sandbox, type Taker } from '../fixtures/sandbox.ts';
import { chooseWay, fact, open, scriptReady, stored } from '../fixtures/walk.ts';

/** DR Congo: one language, prices in dollars, paid in dollars or in francs. */
const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
test.use({ ownSettings: { OPERATOR: 'cd' } });
test.describe.configure({ mode: 'default' });

const newLine = () => `95${String(randomInt(10_000, 10_000_000)).padStart(7, '0')}`;
const spaces = (text: string) => new RegExp(text.replaceAll(' ', '\\s'));
const currencies = (page: Page): Locator => page.getByRole('group', { name: 'Devise' });
const inFrancs = (page: Page): Locator => currencies(page).getByRole('link', { name: /^CDF/ });
const wayLink = (page: Page, name: string): Locator =>
  page
    .getByRole('group', { name: 'Moyens de paiement' })
    .getByRole('link')
    .filter({ has: page.getByText(name, { exact: true }) });

/** From home to the payment page; `units` are cents of a dollar. */
async function toPayment(page: Page, line: string, units: number) {
  await page.getByLabel('Numéro de mobile').fill(line);
  await page.getByLabel('Montant', { exact: true }).fill(String(units));
  await page.getByRole('button', { name: 'ACHETER DU CRÉDIT' }).click();
  await expect(page.getByRole('heading', { name: /Comment voulez-vous payer/ })).toBeVisible();
}

async function expectTaken(
  portal: string,
  id: string,
  { taken, delivered }: { taken: string; delivered: number },
  taker: Taker = 'wallet',
) {
  await expect(async () => {
    const { charging, ...books } = await sandbox.books(portal);
    const entry = books[taker][id];
    expect(`${entry?.currency} ${entry?.taken}, back ${entry?.givenBack}`).toBe(`${taken}, back 0`);
    expect(charging[id]).toMatchObject({ delivered, count: 1 });
  }).toPass();
}

const idOf = (page: Page) => String(new URL(page.url()).searchParams.get('id'));

test('D9 PAY-5 from home to Merci in francs, by keyboard: brand, number, units, both sums and the rate with its time', async ({
  page,
  ownPortal,
}) => {
  const line = newLine();
  const asked = recordCalls(page, 'exchangeRate');
  const initiated = recordCalls(page, 'initiate');
  await open(page, '/');
  await expect(page).toHaveTitle(/Mwinda/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CD');
  // The style sheets that come with the script leave the brand its colours.
  await expect(page.getByRole('banner')).toHaveCSS('background-color', 'rgb(36, 19, 56)');
  await expect(page.getByText('+243').first()).toBeVisible();
  await expect(page.getByText('100 unités = USD 1', { exact: true })).toBeVisible();
  await expectNoViolations(page, 'home');
  await page.getByLabel('Montant', { exact: true }).fill('19');
  await expect(page.getByText('Le montant minimum est de USD 0,20')).toBeVisible();
  await toPayment(page, line, 250);

  await expect(currencies(page).getByRole('link')).toHaveText([spaces('^USD 2,50$'), spaces('^CDF 7 000$')]);
  await expect(page.getByText(spaces('1 USD = 2 800 CDF, taux du \\d+ \\S+ \\d{4}, \\d\\d:\\d\\d'))).toBeVisible();
  expect(asked.map(({ query }) => query)).toEqual([{ fromCurrency: 'USD', toCurrency: 'CDF', amount: '2.50' }]);
  expect(await stored(page, 'QueryData')).toMatchObject({ amount: 250, enableDualCurrency: true, usdAmount: 2.5 });
  await expect(fact(page, 'Total à payer')).toHaveText('USD 2,50');
  await expect(wayLink(page, 'Crédit')).toBeVisible();

  await inFrancs(page).focus();
  await page.keyboard.press('Enter');
  await expect(inFrancs(page)).toHaveAttribute('aria-current', 'true');
  await expect(fact(page, 'Total à payer')).toHaveText(spaces('CDF 7 000'));
  await expect(fact(page, 'Offre')).toHaveText('USD 2,50');
  // Airtime is in dollars, so it cannot pay francs.
  await expect(wayLink(page, 'Crédit')).toBeHidden();
  await wayLink(page, 'Mwinda Money').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/payment\/start\/mwinda-money\?currency=CDF$/);
  await expectNoViolations(page, 'payment');
  // After a reload the quote is kept: no new rate is requested, and the same sum is paid.
  await page.reload();
  await scriptReady(page);
  await page.getByRole('button', { name: spaces('^Payer CDF 7 000$') }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/payment\/status/);

  await expect(page.getByRole('heading', { name: 'Merci' })).toBeVisible();
  await expect(fact(page, 'Montant')).toHaveText(spaces('CDF 7 000'));
  await expect(fact(page, 'Prix')).toHaveText('USD 2,50');
  await expect(fact(page, 'Taux de change')).toHaveText(spaces('^1 USD = 2 800 CDF, taux du '));
  await expectNoViolations(page, 'status');
  expect(asked).toHaveLength(1);
  expect(initiated.map(({ body }) => [body.amount, body.currencyCode])).toEqual([[7_000, 'CDF']]);
  await expectTaken(ownPortal, idOf(page), { taken: 'CDF 7000', delivered: 250 });
  const receipt = await page.request.get(`/receipts/${idOf(page)}.pdf?lang=fr`);
  expect(receipt.headers()['content-type']).toBe('application/pdf');
  await expect
    .poll(async () => (await sandbox.messages(line, ownPortal))[0] ?? '')
    .toMatch(/Mwinda: livré. CDF 7 000 de crédit pour/);
});

test('D9 PAY-5 the card gateway takes both currencies, the wallet dollars; the sandbox names this operator only @desktop', async ({
  page,
  ownPortal,
}) => {
  await open(page, '/');
  await toPayment(page, newLine(), 1_000);
  await inFrancs(page).click();
  await expect(inFrancs(page)).toHaveAttribute('aria-current', 'true');
  const card = wayLink(page, 'Carte bancaire');
  await card.click();
  await expect(card).toHaveAttribute('aria-current', 'page');
  await page.getByLabel('Adresse e-mail').fill('client@example.cd');
  await page.getByRole('button', { name: 'Continuer', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Pay Mwinda' })).toBeVisible();
  await expect(page.getByText('CDF 28,000').first()).toBeVisible();
  await page.getByLabel('Card number').fill('4111111111111111');
  await page.getByLabel('Expiry').fill('12/39');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: 'Merci' })).toBeVisible();
  await expectTaken(ownPortal, idOf(page), { taken: 'CDF 28000', delivered: 1_000 }, 'card');

  const line = newLine();
  await open(page, '/');
  await toPayment(page, line, 250);
  await wayLink(page, 'Mwinda Money').click();
  const initiated = page.waitForRequest(isCall('initiate'));
  await page.getByRole('button', { name: 'Payer USD 2,50', exact: true }).click();
  expect((await initiated).postDataJSON()).toMatchObject({ amount: 250, currencyCode: 'USD' });
  await page.waitForURL(/\/payment\/status/);
  await expect(page.getByRole('heading', { name: 'Merci' })).toBeVisible();
  await expect(fact(page, 'Montant')).toHaveText('USD 2,50');
  await expect(fact(page, 'Taux de change')).toHaveCount(0);
  await expectTaken(ownPortal, idOf(page), { taken: 'USD 250', delivered: 250 });

  await page.goto(`/sandbox?line=${line}`);
  await expect(page.getByText('USD 997.50')).toBeVisible();
  const said = await page.locator('body').innerText();
  expect(said).toContain('+243');
  expect(said).toContain('CDF');
  expect(said).not.toMatch(/MGA|\+261|Fanilo/);
});

test('PAY-5 under one dollar only the wallet is offered; without a rate a toast says so, and dollars still pay', async ({
  page,
}) => {
  await open(page, '/');
  await toPayment(page, newLine(), 99);
  await expect(wayLink(page, 'Mwinda Money')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Moyens de paiement' }).getByRole('region')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Payer USD 0,99', exact: true })).toBeVisible();
  await expect(inFrancs(page)).toHaveText(spaces('CDF 2 772'));

  await page.route(callUrl('exchangeRate'), (route) => route.abort());
  await open(page, '/');
  await toPayment(page, newLine(), 300);
  await expect(page.getByText(spaces('^un problème est survenu !$'))).toBeVisible();
  await expect(page.getByText(/Le montant en CDF n’a pas pu être calculé/)).toBeVisible();
  await expect(currencies(page)).toHaveCount(0);
  await expect(fact(page, 'Total à payer')).toHaveText('USD 3');
  await expectNoViolations(page, 'without a rate');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(inFrancs(page)).toHaveText(spaces('CDF 8 400'));
});

test('D9 a question about francs is answered, and a search without results says so', async ({ page }) => {
  await expectHelp(page, {
    heading: 'Comment pouvons-nous vous aider ?',
    search: 'Rechercher',
    noMatch: /^Aucun résultat pour/,
    asked: 'payer en francs',
    answer: { path: '/gethelp/ways-to-pay/two-currencies/pay-in-francs', says: /Les prix sont en dollars/ },
  });
});

test('D9 its shops are listed by town, and its sites are on its own map', async ({ page }) => {
  await expectStores(page, {
    ...{
      box: 'Ville ou code postal',
      button: 'Rechercher',
      town: 'Stanleyville',
      list: 'Boutiques, la plus proche d’abord',
    },
    ...{ found: /boutiques .*Kisangani/, first: 'Boutique Kisangani 1', notFound: /Zzqqxx.* en RDC/ },
    middle: { lat: -4.05, lng: 21.75 },
  });
  await expectCoverage(page, { sites: /^\d+ sites/ });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-2 PAY-5 the currency is chosen by a link, and francs are paid from home to Merci', async ({
    page,
    ownPortal,
  }) => {
    await page.goto('/');
    await toPayment(page, newLine(), 500);
    await inFrancs(page).click();
    await expect(page).toHaveURL(/\?order=[^&]+&currency=CDF$/);
    await expect(fact(page, 'Total à payer')).toHaveText(spaces('CDF 14 000'));
    await wayLink(page, 'Mwinda Money').click();
    await page.getByLabel('Numéro de téléphone').fill('12');
    const button = page.getByRole('button', { name: spaces('^Payer CDF 14 000$') });
    await button.click();
    // The error is beside its field, and the choice of francs is kept.
    await expect(page.getByText('Veuillez saisir un numéro Mwinda valide')).toBeVisible();
    await page.getByLabel('Numéro de téléphone').fill(newLine());
    await button.click();
    await expect(page).toHaveURL(/\/payment\/status/);
    await expect(page.getByRole('heading', { name: 'Merci' })).toBeVisible();
    await expect(fact(page, 'Montant')).toHaveText(spaces('CDF 14 000'));
    await expectTaken(ownPortal, idOf(page), { taken: 'CDF 14000', delivered: 500 });
  });
});

test('D9 two operators run from one build at the same time, one of them just made by a command @desktop', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-operators-'));
  await newOperator({ code: 'ke', brand: 'Kijani', folder });
  await withStack({ OPERATOR: 'ke', OPERATORS_DIR: folder }, async (other) => {
    await open(page, `${other.url}/`);
    await expect(page).toHaveTitle(/Kijani/);
    await page.getByLabel('Mobile number').fill('391234567');
    await page.getByLabel('Amount', { exact: true }).fill('500');
    await page.getByRole('button', { name: 'BUY AIRTIME' }).click();
    await chooseWay(page, 'Kijani Money');
    await page.getByRole('button', { name: 'Pay XTS 500', exact: true }).click();
    await page.waitForURL(/\/payment\/status/);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectTaken(other.url, idOf(page), { taken: 'XTS 500', delivered: 500 });
    // The pack has no places yet, which the page says without calling it a failure.
    await open(page, `${other.url}/openNetworks`);
    await expect(page.getByText('There are no sites to show yet.')).toBeVisible();
  });
  await open(page, '/');
  await expect(page).toHaveTitle(/Mwinda/);
  rmSync(folder, { recursive: true, force: true });
});
