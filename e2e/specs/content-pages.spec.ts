import { expect, test } from '@playwright/test';
import { callUrl, recordCalls } from '../fixtures/portal.ts';
import { followFooter, open } from '../fixtures/walk.ts';

const message = 'No signal in Ampefy since Monday morning.';

test('APP-2 feedback is validated at its fields, sent once, and acknowledged', async ({ page }) => {
  const sent = recordCalls(page, 'saveForm');
  await open(page, '/give_your_feedback');
  const send = page.getByRole('button', { name: 'Send' });
  await send.click();
  await expect(page.getByText('Please choose what it is about')).toBeVisible();
  await expect(page.getByText('Please write your message')).toBeVisible();
  await page.getByLabel('What is it about?').selectOption('network');
  await page.getByLabel('Your message').fill(message);
  await page.getByLabel('Email').fill('not an email');
  await send.click();
  await expect(page.getByText('Invalid Email Id')).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByLabel('Email').fill('client@example.mg');
  await page.route(callUrl('saveForm'), (route) => route.abort(), { times: 1 });
  await send.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Your message')).toHaveValue(message);
  await send.dblclick();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you for reaching out' })).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent.at(-1)?.body).toEqual({
    formType: 'WEBPORTAL',
    email: 'client@example.mg',
    data: { topic: 'network', message },
  });
});

test('APP-2 the operator’s content pages open by link in the chosen language', async ({ page }) => {
  await open(page, '/contact-us');
  await expect(page.getByRole('link', { name: '+261 39 00 003 00' })).toHaveAttribute('href', 'tel:+261390000300');
  await followFooter(page, 'Privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Vie privée' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Ce que nous ne gardons jamais');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('APP-2 feedback is sent by form, which keeps what was typed on an error, and is acknowledged @desktop', async ({
    page,
  }) => {
    await page.goto('/mg/give_your_feedback');
    await page.locator('textarea').fill('fohy');
    await page.locator('button[type=submit]').click();
    await expect(page.getByText('Safidio hoe momba ny inona')).toBeVisible();
    await expect(page.locator('textarea')).toHaveValue('fohy');
    await page.locator('select').selectOption('idea');
    await page.locator('textarea').fill('Hevitra vaovao ho an’ny pejy fandraisana.');
    await page.locator('button[type=submit]').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Misaotra anao nanoratra');
  });
});
