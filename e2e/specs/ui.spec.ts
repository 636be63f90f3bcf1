import { expect, type Page, test } from '@playwright/test';
import { open } from '../fixtures/walk.ts';

// What needs neither layout nor native dialogs is tested in web/src/ui/gallery.test.tsx.
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm the address' });
const opener = (page: Page) => page.getByRole('button', { name: 'Open dialog' });

test('APP-6 APP-7 a dialog locks the page, traps focus and toasts, and Escape closes it only where allowed @both', async ({
  page,
}) => {
  // The script that shows toasts loads only after the dialog is open.
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/lazy-parts-.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await open(page, '/__ui');
  await test.step('a toast in a dialog is readable and can be closed', async () => {
    await opener(page).click();
    await expect(dialog(page)).toBeVisible();
    release();
    await expect(page.locator('[aria-live=assertive]')).toHaveCount(2);
    await dialog(page).getByRole('button', { name: 'Fail' }).click();
    const inside = dialog(page).locator('[aria-live]', { hasText: 'The line could not be reached.' });
    await expect(inside).toBeVisible();
    await inside.getByRole('button', { name: 'Close' }).click();
    await expect(inside).toHaveCount(0);
    await expect(dialog(page)).toBeVisible();
  });
  await test.step('a dark overlay covers the page, and a tap on it closes nothing', async () => {
    const backdrop = await dialog(page).evaluate((node) => getComputedStyle(node, '::backdrop').backgroundColor);
    const [, alpha = '1'] = /(?:,|\/)\s*([\d.]+%?)\)$/.exec(backdrop) ?? [];
    expect(Number.parseFloat(alpha)).toBeGreaterThan(0.2);
    await page.mouse.click(2, 2);
    await expect(dialog(page)).toBeVisible();
  });
  await test.step('the page behind does not scroll, focus is trapped and restored', async () => {
    const before = await page.evaluate(() => window.scrollY);
    await page.mouse.wheel(0, 400);
    const inside: boolean[] = [];
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      inside.push(
        await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement === document.body || !!activeElement?.closest('dialog');
        }),
      );
    }
    expect(inside).not.toContain(false);
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
  });
  await test.step('Escape closes only where closing is allowed', async () => {
    await opener(page).click();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();

    await page.getByRole('button', { name: 'Open without close' }).click();
    const held = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect(held).toBeVisible();
    await expect(held.getByRole('button', { name: 'Close' })).toHaveCount(0);
    for (let time = 0; time < 3; time++) await page.keyboard.press('Escape');
    await expect(held).toBeVisible();
    await held.getByRole('button', { name: 'Yes' }).click();
    await expect(held).toBeHidden();
  });
});
