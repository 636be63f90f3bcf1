import { expect } from '@playwright/test';
import { expectSoundInBothShapes, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';

test.use({
  ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', SERVICE_WORKER: 'off' },
  locale: 'en-GB',
});

test('feedback of a visitor arrives masked in the inbox, is marked as done and reopened', async ({
  page,
  ownPortal,
}) => {
  await page.goto(`${ownPortal}/give_your_feedback`);
  await page.getByRole('combobox').selectOption('network');
  await page.getByRole('textbox').first().fill('No signal in Ampefy, call 039 00 007 07.');
  await page.getByRole('textbox').last().fill('lova@example.mg');
  await page.getByRole('main').getByRole('button').last().click();
  await expect(page.getByRole('status').getByRole('heading', { level: 1 })).toBeVisible();

  await signIn(page, ownPortal, 'care', '/console/feedback');
  await expect(page.getByRole('heading', { level: 1, name: 'Feedback' })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Feedback' }).getByRole('row');
  const first = rows.filter({ hasText: 'Network' }).getByRole('link');
  await expect(first).toBeVisible();
  await expect(rows.filter({ hasText: 'Network' })).toContainText('promised by email');
  await expectSoundInBothShapes(page, 'feedback');
  await first.click();
  const words = page.getByRole('region', { name: 'What was written' });
  await expect(words).toContainText('No signal in Ampefy');
  await expect(words).not.toContainText('007 07');
  await expect(words).toContainText('l•••@example.mg');
  await expect(words).toContainText('An answer was promised within three working days');
  await expectSoundInBothShapes(page, 'one feedback');
  await words.getByRole('button', { name: 'Show in full' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('to look at the mast there');
  await dialog.getByRole('button', { name: 'Show in full' }).click();
  await expect(words).toContainText('039 00 007 07');

  const address = page.url();
  await page.getByRole('button', { name: 'Mark as done' }).click();
  await expect(page.getByRole('button', { name: 'Open it again' })).toBeVisible();
  await expect(words).toContainText('care@console.example');
  await page.goto(`${ownPortal}/console/feedback?list=done`);
  await expect(page.locator(`a[href$="${new URL(address).pathname}"]`)).toBeVisible();
  for (const [language, title] of [
    ['Français', 'Avis'],
    ['Malagasy', 'Hevitra'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(language);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectSoundInBothShapes(page, language);
  }
});
