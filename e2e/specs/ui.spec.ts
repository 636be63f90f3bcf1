import { expect, type Page, test } from '@playwright/test';
import { open, openWithStoppedClock } from '../fixtures/walk.ts';

const path = '/__ui';
const piece = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

test.describe('the dialog', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm the address' });
  const opener = (page: Page) => page.getByRole('button', { name: 'Open dialog' });

  test('APP-6 locks the page behind it, keeps the focus inside, and gives it back @both', async ({ page }) => {
    await open(page, path);
    await opener(page).click();
    await expect(dialog(page)).toBeVisible();
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

  test('APP-6 Escape closes where closing is allowed, and only there', async ({ page }) => {
    await open(page, path);
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

  test('APP-6 a dark overlay lies over the page @desktop', async ({ page }) => {
    await open(page, path);
    await opener(page).click();
    const backdrop = await dialog(page).evaluate((node) => getComputedStyle(node, '::backdrop').backgroundColor);
    const [, alpha = '1'] = /(?:,|\/)\s*([\d.]+%?)\)$/.exec(backdrop) ?? [];
    expect(Number.parseFloat(alpha)).toBeGreaterThan(0.2);
    await page.mouse.click(2, 2);
    await expect(dialog(page)).toBeVisible();
  });
});

test.describe('the toast', () => {
  const toast = (page: Page, text: string) => page.locator('[aria-live]', { hasText: text });
  /** With a moment in which nothing happens: only then comes what shows toasts. */
  const openIdle = async (page: Page) => {
    await openWithStoppedClock(page, path);
    await page.clock.runFor(100);
  };

  test('APP-7 tells its kind and message, is announced, and goes after 3 s @desktop', async ({ page }) => {
    await openIdle(page);
    await page.getByRole('button', { name: 'Success toast' }).click();
    await expect(toast(page, 'Code sent.')).toHaveCount(1);
    await expect(toast(page, 'Code sent.')).toContainText('Success');
    await expect(toast(page, 'Code sent.')).toHaveAttribute('aria-live', 'polite');
    await page.mouse.move(1, 1);
    await page.clock.runFor(2_900);
    await expect(toast(page, 'Code sent.')).toHaveCount(1);
    await page.clock.runFor(200);
    await expect(toast(page, 'Code sent.')).toHaveCount(0);
  });

  test('APP-7 an error interrupts, stays 10 s, and can be closed @desktop', async ({ page }) => {
    const text = 'The line could not be reached.';
    await openIdle(page);
    await page.getByRole('button', { name: 'Error toast' }).click();
    await expect(toast(page, text)).toContainText('Error');
    await expect(toast(page, text)).toHaveAttribute('aria-live', 'assertive');
    await page.mouse.move(1, 1);
    await page.clock.runFor(9_900);
    await expect(toast(page, text)).toHaveCount(1);
    await page.clock.runFor(200);
    await expect(toast(page, text)).toHaveCount(0);
    await page.getByRole('button', { name: 'Error toast' }).click();
    await toast(page, text).getByRole('button', { name: 'Close' }).click();
    await expect(toast(page, text)).toHaveCount(0);
  });

  test('APP-7 a toast raised in a dialog can be read and closed there', async ({ page }) => {
    // What shows toasts on the page comes only when the dialog is open.
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/later-.*\.js$/, async (route) => {
      await promise;
      await route.continue();
    });
    await open(page, path);
    await page.getByRole('button', { name: 'Open dialog' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm the address' });
    await expect(dialog).toBeVisible();
    release();
    await expect(page.locator('[aria-live=assertive]')).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Fail' }).click();
    const inside = dialog.locator('[aria-live]', { hasText: 'The line could not be reached.' });
    await expect(inside).toBeVisible();
    await inside.getByRole('button', { name: 'Close' }).click();
    await expect(inside).toHaveCount(0);
    await expect(dialog).toBeVisible();
  });
});

test.describe('the dropdown', () => {
  const box = (page: Page) => page.getByRole('combobox', { name: 'Town to search', exact: true });
  const options = (page: Page) => page.getByRole('listbox').getByRole('option');

  test('APP-8 filters whatever the case, says No match, and a choice clears what was searched', async ({ page }) => {
    await open(page, path);
    await box(page).click();
    await expect(options(page)).toHaveCount(10);
    await box(page).fill('ANTS');
    await expect(options(page)).toHaveText(['Antsirabe', 'Antsiranana', 'Fianarantsoa']);
    await box(page).fill('zzz');
    await expect(options(page)).toHaveText(['No match']);
    await box(page).fill('toli');
    await options(page).filter({ hasText: 'Toliara' }).click();
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await expect(box(page)).toHaveValue('Toliara');
    await box(page).click();
    await expect(options(page)).toHaveCount(10);
  });

  test('APP-8 closes on a click outside, keeping the choice', async ({ page }) => {
    await open(page, path);
    await box(page).click();
    await box(page).fill('maha');
    await page.getByRole('heading', { name: 'Combobox' }).click();
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await expect(box(page)).toHaveValue('');
  });

  test('APP-8 works by keyboard alone', async ({ page }) => {
    await open(page, path);
    await box(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(options(page)).toHaveCount(10);
    await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(box(page)).toHaveValue('Toliara');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await expect(box(page)).toHaveValue('Toliara');
    await expect(box(page)).toBeFocused();
  });
});

test.describe('the digit boxes', () => {
  const code = (page: Page) => page.getByLabel('Code', { exact: true });

  test('take six digits only, tell the last one once, and go back by one', async ({ page }) => {
    await open(page, path);
    await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await code(page).pressSequentially('12a34');
    await expect(code(page)).toHaveValue('1234');
    await page.keyboard.press('Backspace');
    await expect(code(page)).toHaveValue('123');
    await code(page).pressSequentially('4567');
    await expect(code(page)).toHaveValue('123456');
    await expect(page.locator('#code-completed')).toHaveText('123456');
  });

  test('a pasted code fills them all', async ({ page }) => {
    await open(page, path);
    await code(page).focus();
    await page.keyboard.insertText('Code: 654 321');
    await expect(code(page)).toHaveValue('654321');
    await expect(page.locator('#code-completed')).toHaveText('654321');
  });
});

test.describe('the number field', () => {
  const number = (page: Page) => page.getByLabel('Mobile number', { exact: true });
  const caret = (page: Page) => number(page).evaluate((node) => (node as HTMLInputElement).selectionStart);
  const moveTo = (page: Page, place: number) =>
    number(page).evaluate((node, at) => (node as HTMLInputElement).setSelectionRange(at, at), place);

  test('keeps the caret where the person works @desktop', async ({ page }) => {
    await open(page, path);
    await number(page).pressSequentially('390000001');
    await expect(number(page)).toHaveValue('39 00 000 01');
    await moveTo(page, 5);
    await page.keyboard.press('Backspace');
    await expect(number(page)).toHaveValue('39 00 000 1');
    expect(await caret(page)).toBe(4);
    await page.keyboard.press('7');
    await expect(number(page)).toHaveValue('39 07 000 01');
    expect(await caret(page)).toBe(5);
  });

  test('deletes the digit behind a separator, and takes the same number pasted over itself @desktop', async ({
    page,
  }) => {
    await open(page, path);
    await number(page).pressSequentially('391234567');
    await moveTo(page, 3);
    await page.keyboard.press('Backspace');
    await expect(number(page)).toHaveValue('31 23 456 7');
    await number(page).fill('391234567');
    await expect(number(page)).toHaveValue('39 12 345 67');
    await number(page).selectText();
    await page.keyboard.insertText('391234567');
    await expect(number(page)).toHaveValue('39 12 345 67');
  });
});

test('the component page shows every piece @desktop', async ({ page }) => {
  await page.goto(path);
  for (const title of [
    'Button',
    'Number field',
    'Amount field',
    'Combobox',
    'Digit boxes',
    'Dialog',
    'Toast',
    'Notice',
  ])
    await expect(
      piece(page, title)
        .or(page.getByRole('heading', { name: title, exact: true }))
        .first(),
    ).toBeVisible();
});
