import { expect } from '@playwright/test';
import { expectSoundInBothShapes, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';

/** On a portal of its own, because shops and towns are changed here. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

const columns = 'id,kind,title,name,latitude,longitude,address,phone,town,region';

test('CNS-10 (new entry) a file with an invalid row changes nothing, a valid one adds a shop, shown as new, once a publisher approves it', async ({
  page,
  browser,
  ownPortal,
}) => {
  const id = 'NP1';
  const title = `Boutique ${id}`;
  const row = `${id},shop,${title},${title} - Antananarivo,-18.91,47.53,Lot 5 Analakely,+261 30 00 000 98,Antananarivo,Analamanga`;
  const file = (rows: string[]) => ({
    name: 'shops.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([columns, ...rows].join('\r\n')),
  });
  await signIn(page, ownPortal, 'editor', '/console/places');
  await expect(page.getByRole('heading', { name: 'Places', exact: true })).toBeVisible();
  await expectSoundInBothShapes(page, 'places');
  await page.getByRole('button', { name: 'Change by a file' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(file([row, 'X9,kiosk,A,A,48.85,2.35,Rue 1,,Paris,France']));
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  const wrong = dialog.getByRole('table', { name: 'What is wrong' }).getByRole('row');
  await expect(wrong.filter({ hasText: 'Kind [kind]' })).toContainText('3');
  await expect(wrong.filter({ hasText: 'not in the country' })).toContainText('3');
  await expect(dialog.getByRole('button', { name: 'Propose' })).toBeHidden();
  await dialog.locator('input[type=file]').setInputFiles(file([row]));
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('1 new, 0 changed')).toBeVisible();
  await dialog.getByLabel('Reason').fill('a shop opens');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await expect(dialog).toBeHidden();

  const context = await browser.newContext({ locale: 'en-GB' });
  const other = await context.newPage();
  await signIn(other, ownPortal, 'publisher', '/console/approvals');
  await other.getByRole('link', { name: `Places · ${id}` }).click();
  const changes = other.getByRole('table', { name: 'What changes' });
  await expect(changes).toContainText(title);
  await expect(changes).toContainText('new: not there yet');
  await expect(changes).not.toContainText('gone');
  await other.getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByText('approved', { exact: true }).first()).toBeVisible();
  await context.close();
  await page.goto(`${ownPortal}/console/places?text=${id}`);
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(title);
  await page.goto(`${ownPortal}/store-locator?q=Antananarivo`);
  await expect(page.getByText(title).first()).toBeAttached();
});

test('a town’s form shows its point on the map, and a click or typed coordinates move it', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/places?table=towns&text=Ambanja');
  await page.getByRole('button', { name: 'Change: Ambanja' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Town')).toHaveAttribute('readonly', '');
  const map = dialog.getByRole('img', { name: 'Map' });
  await map.scrollIntoViewIfNeeded();
  await expect(map.locator('circle')).toHaveCount(1);
  const before = await map.locator('circle').getAttribute('cy');
  await dialog.getByLabel('Latitude').fill('-20');
  await expect(map.locator('circle')).not.toHaveAttribute('cy', before ?? '');
  await expectSoundInBothShapes(page, 'the form of a town');
  const box = await map.boundingBox();
  await map.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
  await expect(dialog.getByLabel('Latitude')).not.toHaveValue('-20');
  await dialog.getByLabel('Home broadband').selectOption('yes');
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('0 new, 1 changed')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'What changes' })).toContainText('Home broadband: yes');
});
