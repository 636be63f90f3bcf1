import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { paths } from '../../domain/paths.ts';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { expectNoViolations } from '../fixtures/axe.ts';
import { expectSound as expectSoundAt, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { approve, giveReason, signInElsewhere } from '../fixtures/proposals.ts';
import { resize } from '../fixtures/resize.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  followFooter,
  numberField,
  payButton,
  wayLink,
  ways,
} from '../fixtures/walk.ts';

/** On a portal of its own, because switches and announcements affect everybody. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '100000', SERVICE_WORKER: 'on', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

/** Checks a page in phone and desktop size. One run, because both share the switches. */
async function expectSound(page: Page, where: string) {
  for (const width of [360, 1280]) {
    await resize(page, { width, height: 800 });
    await expectSoundAt(page, `${where}, ${width} wide`);
  }
}

async function toPaymentPage(page: Page, portal: string) {
  await page.goto(portal);
  await numberField(page).fill(freshLine());
  await amountField(page).fill('1000');
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start/);
}

async function customer(browser: Browser, options: { javaScriptEnabled?: boolean; locale?: string } = {}) {
  return (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
}

/** A second person approves the linked proposal. */
async function approveElsewhere(page: Page, portal: string) {
  const link = page.getByRole('link', { name: 'Waits for a second person' });
  const address = await link.getAttribute('href');
  const other = await signInElsewhere(page.context().browser() as Browser, portal, 'operator2', {
    to: String(address),
  });
  await expectSound(other, 'a proposal to close');
  await approve(other);
  await other.context().close();
  await page.reload();
}

const announced = (page: Page, label = 'Announcement') => page.getByRole('complementary', { name: label });

/** Neither lies over the other. */
async function expectApart(one: Locator, other: Locator) {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error('one of the two is not on the page');
  const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(isApart).toBe(true);
}

test('CNS-8 (the pages; several processes on PostgreSQL) a payment method that is switched off is offered to nobody, with and without script; a page that still shows it is refused in words; switched on, it is offered again @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  const early = await customer(browser);
  await toPaymentPage(early, ownPortal);
  await chooseWay(early, 'Fanilo Money');

  await signIn(page, ownPortal, 'operator', '/console/ways');
  await expect(page.getByRole('heading', { level: 1, name: 'Ways to pay' })).toBeVisible();
  await expectSound(page, 'ways');
  const row = page.getByRole('row').filter({ hasText: 'Fanilo Money' });
  await row.getByRole('button', { name: 'Switch off' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('What customers read (French)')).toHaveValue(/Le paiement par Fanilo Money/);
  await dialog.getByLabel('What customers read (English)').fill('Fanilo Money rests until noon.');
  await expectSound(page, 'switching off');
  await giveReason(page, 'many payments fail', 'Propose');
  await expect(row).toContainText('offered');
  await approveElsewhere(page, ownPortal);
  await expect(row).toContainText('switched off');
  await expectSound(page, 'one is off');

  for (const javaScriptEnabled of [true, false]) {
    const visitor = await customer(browser, { javaScriptEnabled });
    await toPaymentPage(visitor, ownPortal);
    await expect(ways(visitor).getByRole('link').first()).toBeVisible();
    await expect(wayLink(visitor, 'Fanilo Money')).toHaveCount(0);
    await expect(visitor.getByText('Fanilo Money rests until noon.')).toBeVisible();
    if (javaScriptEnabled) await expectNoViolations(visitor, 'a way is off');
    await expectApart(visitor.getByText('Fanilo Money rests until noon.'), visitor.locator('main form'));
    await visitor.context().close();
  }
  await payButton(early).click();
  await expect(early.getByText('Fanilo Money rests until noon. Nothing was taken.')).toBeVisible();
  await early.context().close();

  await row.getByRole('button', { name: 'Switch on' }).click();
  await giveReason(page, 'it works again', 'Switch on');
  await expect(row).toContainText('offered');
  const visitor = await customer(browser, { javaScriptEnabled: false });
  await toPaymentPage(visitor, ownPortal);
  await expect(wayLink(visitor, 'Fanilo Money')).toHaveCount(1);
  await visitor.context().close();
});

const banner = {
  English: 'Storm in the east: some shops are closed.',
  French: 'Tempête à l’est : certaines boutiques sont fermées.',
  Malagasy: 'Rivotra any atsinanana : mikatona ny fivarotana sasany.',
};

test('CNS-8 (banner) a banner is shown on home, payment and help in three languages, with and without script, until it is withdrawn @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'operator', '/console/ways');
  const part = page.getByRole('region', { name: 'Banner' });
  await part.getByRole('button', { name: 'Show a banner' }).click();
  for (const [language, text] of Object.entries(banner))
    await page.getByRole('dialog').getByLabel(`Banner (${language})`).fill(text);
  await expectSound(page, 'a banner');
  await giveReason(page, 'the storm', 'Show a banner');
  await expect(part).toContainText(banner.Malagasy);
  await expectSound(page, 'a banner is shown');

  for (const [prefix, text, label] of [
    ['', banner.English, 'Announcement'],
    ['/sw', banner.French, 'Annonce'],
    ['/mg', banner.Malagasy, 'Filazana'],
  ] as const) {
    const visitor = await customer(browser, { javaScriptEnabled: false });
    for (const path of ['', paths.help, paths.paymentStart]) {
      await visitor.goto(ownPortal + (prefix + path || '/'));
      await expect(announced(visitor, label), prefix + path).toHaveText(text);
    }
    await visitor.goto(`${ownPortal}${prefix}${paths.storeLocator}`);
    await expect(announced(visitor, label)).toHaveCount(0);
    await visitor.context().close();
  }
  const visitor = await customer(browser);
  await visitor.goto(`${ownPortal}${paths.about}`);
  await visitor.locator('html[data-hydrated]').waitFor();
  await expect(announced(visitor)).toHaveCount(0);
  await followFooter(visitor, 'Help centre');
  await expect(announced(visitor)).toHaveText(banner.English);
  await expectNoViolations(visitor, 'help with a banner');
  await toPaymentPage(visitor, ownPortal);
  await expect(announced(visitor)).toHaveText(banner.English);
  await resize(visitor, { width: 360, height: 740 });
  const wider = await visitor.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider).toBeLessThanOrEqual(0);

  await part.getByRole('button', { name: 'Take the banner back' }).click();
  await giveReason(page, 'the storm is over', 'Take the banner back');
  await expect(part).toContainText('No banner is shown.');
  // The page cache is validated at most once a second.
  await expect
    .poll(async () => {
      await visitor.goto(ownPortal);
      return announced(visitor).count();
    })
    .toBe(0);
  await visitor.context().close();
});

test('CNS-8 (maintenance) planned maintenance is announced with its time; payments cannot start during it, and can again once it is called off @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  const early = await customer(browser, { javaScriptEnabled: false });
  await toPaymentPage(early, ownPortal);
  await chooseWay(early, 'Fanilo Money');
  await signIn(page, ownPortal, 'operator', '/console/ways');
  const part = page.getByRole('region', { name: 'Planned maintenance' });
  const wall = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 3 * 3_600_000).toISOString().slice(0, 16);
  await part.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').fill(wall(60));
  await dialog.getByLabel('Until').fill(wall(30));
  await expect(dialog.getByText('The end has to come after the beginning, and after now.')).toBeVisible();
  await dialog.getByLabel('Until').fill(wall(120));
  await expectSound(page, 'planning maintenance');
  await giveReason(page, 'a new database', 'Propose');
  await approveElsewhere(page, ownPortal);
  await expect(part).toContainText('Maintenance is planned, and customers are told.');

  const visitor = await customer(browser, { javaScriptEnabled: false });
  await visitor.goto(`${ownPortal}${paths.help}`);
  await expect(announced(visitor)).toContainText('Planned maintenance: from');

  await part.getByRole('button', { name: 'Change the maintenance' }).click();
  await dialog.getByLabel('From').fill(wall(-5));
  await giveReason(page, 'it began earlier', 'Propose');
  await approveElsewhere(page, ownPortal);
  await expect(part).toContainText('Maintenance is under way');
  await expectSound(page, 'maintenance');

  await payButton(early).click();
  await expect(early.getByText(/We are doing maintenance.*Nothing was taken\./).first()).toBeVisible();
  await toPaymentPage(visitor, ownPortal);
  await expect(announced(visitor)).toContainText('We are doing maintenance');
  await expect(ways(visitor).getByRole('link')).toHaveCount(0);

  await part.getByRole('button', { name: 'Call the maintenance off' }).click();
  await giveReason(page, 'done sooner', 'Call the maintenance off');
  await toPaymentPage(visitor, ownPortal);
  await expect(announced(visitor)).toHaveCount(0);
  await expect(ways(visitor).getByRole('link').first()).toBeVisible();
  await visitor.context().close();
  await early.context().close();
});

test('the second of two operators who make the same proposal is told @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  for (const [one, person] of [
    [page, 'operator'],
    [other, 'operator2'],
  ] as const) {
    await signIn(one, ownPortal, person, '/console/ways');
    await one.getByRole('row').filter({ hasText: 'MPESA' }).getByRole('button', { name: 'Switch off' }).click();
    await one.getByRole('dialog').getByLabel('Reason').fill('it fails');
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await other.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await expect(other.getByRole('alert')).toContainText('proposed');
  await other.context().close();
  await page.getByRole('link', { name: 'Waits for a second person' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('withdrawn', { exact: true })).toBeVisible();
});

test('the page is in French and Malagasy @desktop', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'operator', '/console/ways');
  // Credit is called as customers read it.
  for (const [name, title, credit] of [
    ['Français', 'Moyens de paiement', 'Crédit'],
    ['Malagasy', 'Fomba fandoavana', 'Fahana'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('cell', { name: credit, exact: true })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Airtime', exact: true })).toHaveCount(0);
    await expectSound(page, name);
  }
});
