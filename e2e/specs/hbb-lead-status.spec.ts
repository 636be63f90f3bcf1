import { expect, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { submittedLead } from '../fixtures/lead.ts';
import { fact, open } from '../fixtures/walk.ts';

const path = '/hbb-lead-status';

test('LEA-6 a lead is found by its id, however it is written; an unknown id is reported at the field until it is changed', async ({
  page,
}) => {
  const id = await submittedLead(freshLine());
  await open(page, path);
  const field = page.getByLabel('Request number');
  await field.fill('HB00000000000000000000');
  await page.getByRole('button', { name: 'Track' }).click();
  await expect(page.getByText(/^We do not know this request number\./)).toBeVisible();
  await expect(field).toHaveValue('HB00000000000000000000');
  // Customers have numbers of payments too.
  const toPayments = page.getByRole('main').getByRole('link', { name: 'Where is my payment?' });
  await expect(toPayments).toHaveAttribute('href', '/payment/status?id=HB00000000000000000000');

  await field.fill(` ${id.toLowerCase().replaceAll(/(.{4})/g, '$1-')} `);
  await expect(page.getByText(/^We do not know this request number\./), 'of another number').toBeHidden();
  await page.getByRole('button', { name: 'Track' }).click();
  await expect(page.locator('[data-lead="SUBMITTED"]')).toHaveText('Received, waiting for payment');
  await expect(page.getByText('Where it is now')).toHaveCount(1);
  await expect(fact(page, 'Town')).toHaveText('Antananarivo');
  await expect(fact(page, 'Plan')).toHaveText('50 GB, 30 days');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('LEA-6 NOS-3 it works by a plain form, in every language', async ({ page }) => {
    const id = await submittedLead(freshLine(), { city: 'Ambanja' });
    for (const [prefix, label, button, words] of [
      ['', 'Request number', 'Track', 'Not available in your town yet'],
      ['/sw', 'Numéro de demande', 'Suivre', 'Pas encore disponible dans votre ville'],
      ['/mg', 'Laharan’ny fangatahana', 'Hanaraka', 'Mbola tsy misy any amin’ny tanànanao'],
    ] as const) {
      await page.goto(`${prefix}${path}`);
      await page.getByLabel(label).fill(id);
      await page.getByRole('button', { name: button }).click();
      await expect(page.locator('[data-lead="NOT_FEASIBLE"]')).toHaveText(words);
    }
  });
});
