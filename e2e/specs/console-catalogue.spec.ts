import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { atDesk, expectSound, expectSoundInBothShapes, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import {
  approve,
  fileOf,
  giveReason,
  importFile,
  openEntry,
  readFileOfChanges,
  signInElsewhere,
} from '../fixtures/proposals.ts';
import { numberField } from '../fixtures/walk.ts';

/** Prices are changed here, which no other spec must meet. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

const propose = (page: Page) => giveReason(page, 'the tariff of spring');

async function approveNewest(page: Page, portal: string, name: string) {
  await page.goto(`${portal}/console/approvals`);
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByRole('table', { name: 'What changes' })).toBeVisible();
}

test('an editor imports a file, a publisher approves it, and customers pay the new price', async ({
  page,
  browser,
  ownPortal,
}) => {
  const [code, old, price, shown] = ['D1G3', 'MGA 3,500', '3700', '3,700'];
  await signIn(page, ownPortal, 'editor', `/console/catalogue?text=${code}`);
  await expect(page.getByRole('heading', { name: 'Catalogue', exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: code }).first()).toContainText(old);
  await page.getByLabel('Show').selectOption('Only what is going to change');
  await expect(page.getByText('Nothing here fits.')).toBeVisible();
  await page.getByLabel('Show').selectOption('What is there now and planned');
  await expect(page.getByRole('row').filter({ hasText: code }).first()).toBeVisible();
  await expectSoundInBothShapes(page, 'the catalogue');

  const wrong = await importFile(page, `code;price;colour\n${code};-1;red\n`);
  const faults = wrong.getByRole('table', { name: 'What is wrong' });
  await expect(faults).toContainText('There is no such column');
  await readFileOfChanges(page, `code;price\n${code}3;3700\n`);
  await expect(faults.getByRole('row')).toHaveCount(2);
  await expect(faults).toContainText(`“${code}” is expected`);
  await expectSoundInBothShapes(page, 'a wrong file');
  await wrong.locator('input[type=file]').setInputFiles(fileOf(`code;price\n${code};0\nD50M1;300\n`));
  await expect(wrong.getByRole('table', { name: 'What is wrong' })).toBeHidden();
  await wrong.getByRole('button', { name: 'See what changes' }).click();
  await expect(wrong.getByRole('row').filter({ hasText: 'This is no price' })).toContainText('2');
  await expect(wrong.getByRole('button', { name: 'Propose' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(wrong.getByRole('alert').filter({ hasText: 'Throw away what you wrote?' })).toBeVisible();
  await wrong.getByRole('button', { name: 'Throw away' }).click();

  const dialog = await importFile(page, `code;price\n${code};${price}\nD50M1;300\n`);
  await expect(dialog.getByText('0 new, 1 changed, 0 ended, 1 unchanged')).toBeVisible();
  const change = dialog.getByRole('table', { name: 'What changes' }).getByRole('row').nth(1);
  await expect(change).toContainText(`Price: ${old}`);
  await expect(change).toContainText(`Price: MGA ${shown}`);
  await expectSoundInBothShapes(page, 'what changes');
  await propose(page);
  await expect(page.getByRole('link', { name: 'Waits for a second person' })).toBeVisible();

  const context = await browser.newContext({ locale: 'en-GB' });
  const other = await context.newPage();
  await signIn(other, ownPortal, 'publisher');
  await approveNewest(other, ownPortal, `Catalogue · ${code} – Tselatra 1 GB`);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(`Catalogue · ${code} – Tselatra 1 GB`);
  await expect(other.getByRole('table', { name: 'What changes' })).toContainText(/Tselatra 1 GB.*Price: MGA\s3,700/);
  await expectSoundInBothShapes(other, 'a proposal of a price');
  await approve(other);
  await context.close();

  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: code }).first()).toContainText(`MGA ${shown}`);
  // A page that was rendered for somebody else may be a second old.
  const tariff = page.getByRole('table').getByText(`MGA ${shown}`, { exact: true }).first();
  await expect
    .poll(async () => {
      await page.goto(`${ownPortal}/table`);
      return tariff.count();
    })
    .toBe(1);
  await page.goto(`${ownPortal}/data-bundle?product=${code}`);
  await numberField(page).fill('390000001');
  await page.getByRole('button', { name: `BUY FOR MGA ${shown}` }).click();
  await expect(page).toHaveURL(/\/payment\/start/);
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(`MGA ${shown}`);
});

test.describe('at a desk', () => {
  test.use(atDesk);

  test('by keyboard alone an editor changes a bundle, sees errors at their field, and schedules the change', async ({
    page,
    ownPortal,
  }) => {
    await signIn(page, ownPortal, 'editor', '/console/catalogue?text=D1.5G7');
    const edit = page.getByRole('button', { name: 'Change: D1.5G7' });
    await expect(edit).toBeVisible();
    await page.keyboard.press('j');
    await expect(edit).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const price = dialog.getByLabel('Price');
    await price.fill('six thousand');
    await price.press('Enter');
    await expect(dialog.getByText('This is no price.').first()).toBeVisible();
    await expect(price).toHaveAttribute('aria-invalid', 'true');
    await expect(price).toBeFocused();
    await price.fill('6000');
    await expect(dialog.getByText('MGA 6,000')).toBeVisible();
    await expect(dialog.getByRole('group').filter({ hasText: 'What is inside' })).toContainText('gigabytes (GB)');
    await expect(dialog.getByLabel('Family').getByRole('option', { selected: true })).toHaveText('Mobile internet');
    await dialog.getByLabel('From when').fill('2099-01-01T00:00');
    await price.press('Enter');
    await expect(dialog.getByText('0 new, 1 changed')).toBeVisible();
    await expectSound(page, 'the form');
    await propose(page);
  });
});

test('CNS-11 (a price for a time, what has ended) the form shows what holds after it, an entry that ends says so, and is put back from the list of what has ended', async ({
  page,
  browser,
  ownPortal,
}) => {
  const code = 'D5G30';
  const dialog = await openEntry(page, ownPortal, 'bundle', code);
  const change = dialog.getByRole('table', { name: 'What changes' }).getByRole('row').nth(1);
  const until = dialog.getByLabel('Until when');
  await until.fill('2099-02-01T00:00');
  await until.press('Enter');
  await expect(change).toContainText('not there any more');
  await expect(change).toContainText('ended');
  await dialog.getByLabel('Price').fill('9000');
  await dialog.getByLabel('From when').fill('2099-01-01T00:00');
  await until.press('Enter');
  await expect(change).toContainText(/from 1 Jan 2099.*MGA\s9,000.*from 1 Feb 2099.*MGA\s20,000/);
  await expect(change).not.toContainText('not there any more');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: `End: ${code}` }).click();
  const from = dialog.getByLabel('From when');
  await from.fill('2020-01-01T00:00');
  await from.press('Enter');
  await expect(from).toHaveAccessibleDescription(/This begins in the past\./);
  await expect(from).toBeFocused();
  await from.fill('');
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await propose(page);
  const other = await signInElsewhere(browser, ownPortal, 'publisher');
  await approveNewest(other, ownPortal, `Catalogue · ${code}`);
  await approve(other);
  await other.context().close();

  await page.goto(`${ownPortal}/console/catalogue?text=${code}`);
  await expect(page.getByText('Nothing here fits.')).toBeVisible();
  await page.getByLabel('Show').selectOption('What has ended');
  await expectSoundInBothShapes(page, 'what has ended');
  await page.getByRole('button', { name: `Put back: ${code}` }).click();
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('1 new, 0 changed, 0 ended')).toBeVisible();
  await propose(page);
});

test('of three proposals about one bundle, one of them about others as well, each is told of the others; one is approved as its dialog shows it, and the others ran out, on their page and in the lists', async ({
  page,
  browser,
  ownPortal,
}) => {
  const code = 'D10G30';
  const name = `Catalogue · ${code}`;
  await signIn(page, ownPortal, 'editor', `/console/catalogue?text=${code}`);
  for (const price of ['36100', '36200']) {
    const file = await importFile(page, `code;price\n${code};${price}\n`);
    await expect(file.getByText('0 new, 1 changed')).toBeVisible();
    if (price === '36200') await expect(file.getByRole('note')).toContainText(`a change of ${code} that waits`);
    await propose(page);
  }
  const many = await importFile(page, `code;price\nD8G30;27100\n${code};36300\n`);
  await expect(many.getByRole('note').getByText(`a change of ${code} that waits`)).toHaveCount(2);
  await expectSoundInBothShapes(page, 'a file of what waits already');
  await propose(page);
  for (const act of ['Change', 'End']) {
    await page.getByRole('button', { name: `${act}: ${code}` }).click();
    const asked = page.getByRole('dialog').getByRole('note');
    await expect(asked.getByRole('link', { name: 'Waits for a second person' })).toHaveCount(3);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
  const context = await browser.newContext({ locale: 'en-GB' });
  const other = await context.newPage();
  await signIn(other, ownPortal, 'publisher');
  await other.goto(`${ownPortal}/console/approvals`);
  await other.getByRole('link', { name }).filter({ hasNotText: '+ 1' }).first().click();
  await expect(other.getByRole('table', { name: 'What changes' })).toContainText('Price: MGA 36,200');
  const overtaken = other.getByText(`what editor@console.example proposed for ${code}`);
  await expect(overtaken).toHaveCount(2);
  await other.getByRole('button', { name: 'Approve' }).click();
  const dialog = other.getByRole('dialog');
  await expect(dialog.getByRole('note').getByText(`proposed for ${code}`)).toHaveCount(2);
  await expect(dialog.getByRole('table', { name: 'What changes' })).toContainText('Price: MGA 36,200');
  await expectSoundInBothShapes(other, 'an approval of a price');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByText('approved', { exact: true }).first()).toBeVisible();

  await other.goto(`${ownPortal}/console/approvals?list=open`);
  await expect(other.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible();
  await expect(other.getByRole('main').getByRole('status').or(other.getByRole('table'))).toBeVisible();
  await expect(other.getByRole('link', { name })).toHaveCount(0);
  await other.getByRole('link', { name: 'Run out' }).click();
  await expect(other.getByRole('row').filter({ hasText: name })).toContainText('This cannot be carried out any more');
  await expect(other.getByRole('row').filter({ hasText: /D8G30.*\+ 1/ })).toContainText(
    'This cannot be carried out any more',
  );
  await expectSoundInBothShapes(other, 'what ran out');
  await other.getByRole('link', { name }).click();
  await expect(other.getByText('ran out', { exact: true })).toBeVisible();
  await expect(other.getByText('This cannot be carried out any more')).toBeVisible();
  await expect(other.getByText('waits for somebody else')).toHaveCount(0);
  await expect(other.getByText('Open until')).toHaveCount(0);
  await context.close();
});

test('who approves a price that doubles is alarmed like its author: above the changes, and first in the dialog', async ({
  page,
  browser,
  ownPortal,
}) => {
  const code = 'D15G30';
  const figures = `${code} – Tselatra 15 GB: MGA 48,000 → MGA 96,000`;
  await signIn(page, ownPortal, 'editor', `/console/catalogue?text=${code}`);
  const file = await importFile(page, `code;price\n${code};96000\n`);
  await expect(file.getByRole('note').filter({ hasText: 'Look twice' })).toContainText(figures);
  await expectSoundInBothShapes(page, 'an alarm before it is proposed');
  await file.getByLabel('I have checked these figures').check();
  await propose(page);
  const context = await browser.newContext({ locale: 'en-GB' });
  const other = await context.newPage();
  await signIn(other, ownPortal, 'publisher');
  await approveNewest(other, ownPortal, `Catalogue · ${code}`);
  await expect(other.getByRole('region', { name: 'What changes' }).getByRole('note')).toContainText(figures);
  await expectSoundInBothShapes(other, 'a proposal with an alarm');
  await other.getByRole('button', { name: 'Approve' }).click();
  const dialog = other.getByRole('dialog');
  await expect(dialog.getByRole('note')).toContainText(figures);
  await expect(dialog.locator('.mantine-Modal-body')).toHaveText(/^Approve exactly this\?Look twice/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await other.getByRole('button', { name: 'Refuse' }).click();
  await dialog.getByRole('textbox').fill('a digit too many');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await expect(other.getByText('refused', { exact: true }).first()).toBeVisible();
  await context.close();
});

test('a file that ends nearly all says so on top, an ended bundle takes one line, and the decision stays within reach', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/catalogue');
  await page.getByRole('button', { name: 'Change by a file' }).click();
  const file = page.getByRole('dialog');
  await file.locator('input[type=file]').setInputFiles(fileOf('code;price\nV10M1;650\n'));
  await file.getByLabel('The file is the whole table').check();
  const from = file.getByLabel('From when');
  await from.fill('2020-01-01T00:00');
  await file.getByRole('button', { name: 'See what changes' }).click();
  await expect(from).toBeFocused();
  await expect(from).toHaveAccessibleDescription(/This begins in the past\./);
  await expect(file.getByText('This time is over.')).toHaveCount(0);
  await from.fill('');
  await file.getByRole('button', { name: 'See what changes' }).click();
  const rows = file.getByRole('table', { name: 'What changes' }).getByRole('row');
  await expect(file.getByText(/0 new, 1 changed, \d\d ended/)).toBeVisible();
  await expect(rows).toHaveCount(11);
  await file.getByLabel('I have checked these figures').check();
  await propose(page);

  const context = await browser.newContext({ locale: 'en-GB' });
  const other = await context.newPage();
  await signIn(other, ownPortal, 'publisher');
  await approveNewest(other, ownPortal, 'Catalogue · V10M1');
  const changes = other.getByRole('region', { name: 'What changes' });
  await expect(changes.getByRole('note').first()).toContainText(/\d\d of \d\d current entries end/);
  await expect(changes.getByText(/^0 new, 1 changed, \d\d ended$/)).toBeVisible();
  const shown = changes.getByRole('table').getByRole('row');
  await expect(shown).toHaveCount(11);
  await expect(shown.nth(2)).toContainText('Gone once approved.');
  await expect(shown.nth(2)).not.toContainText('Description');
  await expectSoundInBothShapes(other, 'a proposal that ends nearly all');
  await changes.getByRole('button', { name: 'Next' }).click();
  await expect(changes.getByRole('status')).toHaveText(/^11–20 of \d\d$/);
  await expect(changes.getByText('V10M1')).toHaveCount(0);
  await changes.getByRole('button', { name: 'Previous' }).click();
  await expect(changes.getByText('V10M1')).toBeVisible();
  await other.getByRole('button', { name: 'Approve' }).click();
  const dialog = other.getByRole('dialog');
  await expect(dialog.getByRole('table', { name: 'What changes' }).getByRole('row')).toHaveCount(11);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await other.getByRole('button', { name: 'Refuse' }).click();
  await dialog.getByRole('textbox').fill('half of the file is missing');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await expect(other.getByText('refused', { exact: true }).first()).toBeVisible();
  await context.close();
});

test('an entry and its planned change have buttons with different names', async ({ page, browser, ownPortal }) => {
  const code = 'D50M1';
  await signIn(page, ownPortal, 'editor', `/console/catalogue?text=${code}`);
  const file = await importFile(page, `code;price;from\n${code};350;2099-01-01 00:00\n`);
  await expect(file.getByText('0 new, 1 changed')).toBeVisible();
  await propose(page);
  const other = await signInElsewhere(browser, ownPortal, 'publisher');
  await approveNewest(other, ownPortal, `Catalogue · ${code}`);
  await approve(other);
  await other.context().close();
  await page.reload();
  const buttons = page.getByRole('button', { name: new RegExp(`^Change: ${code}`) });
  await expect(buttons).toHaveCount(2);
  await expect(buttons.first()).toHaveAccessibleName(`Change: ${code}`);
  await expect(buttons.last()).toHaveAccessibleName(/^Change: D50M1, from 1 Jan 2099/);
});

test('the table is exported for a spreadsheet, in French and Malagasy too', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'publisher', '/console/catalogue');
  for (const [name, title, button] of [
    ['Français', 'Catalogue', 'CSV pour Excel (;)'],
    ['Malagasy', 'Katalaogy', 'CSV ho an’ny Excel (;)'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectSound(page, name);
    // Who only approves changes nothing here.
    await expect(page.getByRole('main').locator('table button')).toHaveCount(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('catalogue.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\ufeff"code";"family";/);
    expect(text).toContain('"D1G7";"DATA";"PREPAID";5000;"MGA";7;');
  }
});
