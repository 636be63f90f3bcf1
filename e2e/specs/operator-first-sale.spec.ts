import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { root } from '../../scripts/source-files.ts';
import { signIn } from '../fixtures/console.ts';
import { withStack } from '../fixtures/own-stack.ts';
import { approve, giveReason, importFile } from '../fixtures/proposals.ts';
import { sandbox } from '../fixtures/sandbox.ts';
import { chooseWay, fact, numberField, open } from '../fixtures/walk.ts';

test.use({ locale: 'en-GB' });

const folder = mkdtempSync(join(tmpdir(), 'portal-first-sale-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tariff = `code,family,line,price,validity_days,data,data_unit,category_en,name_en,description_en
KD500M1,DATA,PREPAID,150,1,500,MB,Internet data,Kijani 500 MB,"500 MB, 1 day"
KD2G7,DATA,PREPAID,700,7,2,GB,Internet data,Kijani 2 GB,"2 GB, 7 days"
`;

async function bringTariff(page: Page) {
  await page.goto('/console/catalogue');
  const dialog = await importFile(page, tariff);
  await expect(dialog.getByText('2 new, 0 changed, 0 ended, 0 unchanged')).toBeVisible();
  await giveReason(page, 'our first day');
}

async function bringShop(page: Page) {
  await page.goto('/console/places');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const shop = { Id: 'S0001', Title: 'Kijani Central', Name: 'Kijani Central - Mlima', Address: 'Market Street 1' };
  const where = { Latitude: '0.35', Longitude: '0.42', Phone: '+999 39 000 0001', Town: 'Mlima', Region: 'Central' };
  for (const [label, value] of Object.entries({ ...shop, ...where }))
    await dialog.getByRole('textbox', { name: label, exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('1 new, 0 changed')).toBeVisible();
  await giveReason(page, 'our first day');
}

async function bringHelp(page: Page) {
  await page.goto('/console/content/faq');
  await page.getByLabel('Search in these texts').fill('Call {care} from your {brand} line');
  const answer = page.getByRole('textbox', { name: /answer.*\(English\)/i });
  await answer.fill('Come to Kijani Central in Mlima, or call {care}.\n\n[Find a store](/store-locator)');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await expect(page.getByText('Kept as a draft.')).toBeVisible();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await giveReason(page, 'our first day');
}

async function approveAll(browser: Browser, portal: string) {
  const context = await browser.newContext({ locale: 'en-GB', baseURL: portal });
  const page = await context.newPage();
  await signIn(page, portal, 'publisher', '/console/approvals');
  for (const name of [/^Catalogue · /, /^Places · /, /^Publication · /]) {
    await page.goto('/console/approvals');
    await page.getByRole('link', { name }).first().click();
    await approve(page);
  }
  await context.close();
}

/** From an empty catalogue to a bundle that is paid and delivered. */
async function sellFirst(browser: Browser, url: string) {
  const context = await browser.newContext({ locale: 'en-GB', baseURL: url });
  const page = await context.newPage();

  // Customers may see every page while nothing is on sale.
  await open(page, '/table');
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await open(page, '/data-bundle');
  await expect(numberField(page)).toBeVisible();

  await signIn(page, url, 'editor', '/console/catalogue');
  await bringTariff(page);
  await bringShop(page);
  await bringHelp(page);
  await approveAll(browser, url);

  await expect(async () => {
    await page.goto('/table');
    await expect(page.getByRole('table').getByText('XTS 700', { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await open(page, '/data-bundle?product=KD2G7');
  await numberField(page).fill('391234567');
  await page.getByRole('button', { name: 'BUY FOR XTS 700' }).click();
  await chooseWay(page, 'Kijani Money');
  await page.getByRole('button', { name: 'Pay XTS 700', exact: true }).click();
  await page.waitForURL(/\/payment\/status/);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(fact(page, 'Amount')).toHaveText('XTS 700');
  const id = String(new URL(page.url()).searchParams.get('id'));
  const books = await sandbox.books(url);
  expect(books.wallet[id]).toMatchObject({ taken: 700, givenBack: 0, currency: 'XTS' });
  expect(books.charging[id]).toMatchObject({ count: 1 });

  await open(page, '/store-locator?q=Mlima');
  await expect(page.getByRole('region', { name: 'Shops, nearest first' })).toContainText('Market Street 1');
  await expect(async () => {
    await page.goto('/gethelp/contact-details/talk-to-us/call-care');
    await expect(page.getByRole('article')).toContainText('Come to Kijani Central in Mlima', { timeout: 1_000 });
  }).toPass();
  await context.close();
}

test('D9 a new operator is made by a command, set up by two people in the console, and sells its first bundle @desktop', async ({
  browser,
}) => {
  test.slow();
  const made = [join(root, 'scripts/operator-new.ts'), 'ke', '--brand', 'Kijani', '--in', folder, '--empty'];
  execFileSync(process.execPath, made, { cwd: root });
  await withStack({ OPERATOR: 'ke', OPERATORS_DIR: folder }, ({ url }) => sellFirst(browser, url));
});
