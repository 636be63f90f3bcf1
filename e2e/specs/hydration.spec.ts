import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { recordCalls } from '../fixtures/portal.ts';
import { builtRoutes } from '../fixtures/routes.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  fact,
  grouped,
  numberField,
  payButton,
  prepaidLine,
  scriptReady,
  stopClock,
  wayLink,
} from '../fixtures/walk.ts';

const isScript = (url: string) => /\/assets\/.*\.js$/.test(url);

function recordScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (isScript(request.url())) scripts.push(request.url());
  });
  return scripts;
}

/** Holds back all scripts, or those named, until the test releases them. */
async function holdScripts(page: Page, named = ''): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => isScript(url.href) && url.href.includes(named),
    async (route) => {
      await promise;
      // The page may be gone.
      await route.continue().catch(() => {});
    },
  );
  return resolve;
}

test('NOS-4 the page is painted and usable before any script is requested; the first touch loads it', async ({
  page,
}) => {
  const scripts = recordScripts(page);
  // With stopped timers the page never becomes idle, so only a touch starts the script.
  await stopClock(page);
  await page.goto('/prepaid-recharge');
  await expect(buyButton(page)).toBeEnabled();
  const painted = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().length > 0)).observe({
          type: 'paint',
          buffered: true,
        });
      }),
  );
  expect(painted).toBe(true);
  expect(await page.locator('script[src], link[rel=modulepreload], link[rel=preload]').count()).toBe(0);
  expect(scripts).toEqual([]);
  await numberField(page).focus();
  await scriptReady(page);
  expect(scripts.length).toBeGreaterThan(0);
});

test('NOS-4 without a touch the script loads when the page is idle @desktop', async ({ page }) => {
  const scripts = recordScripts(page);
  await stopClock(page);
  await page.goto('/prepaid-recharge');
  await expect(buyButton(page)).toBeVisible();
  expect(scripts).toEqual([]);
  await page.clock.resume();
  await scriptReady(page);
  expect(scripts.length).toBeGreaterThan(0);
});

test('NOS-4 text typed before hydration is kept and used', async ({ page }) => {
  const line = freshLine();
  const release = await holdScripts(page);
  await page.goto('/prepaid-recharge');
  await numberField(page).pressSequentially(line);
  await amountField(page).pressSequentially('1500');
  const checks = recordCalls(page, 'lineType');
  release();
  await scriptReady(page);
  await expect(numberField(page)).toHaveValue(grouped(line));
  await expect(amountField(page)).toHaveValue('1\u202f500');
  await expect(amountField(page)).toBeFocused();
  await expect(prepaidLine(page)).toBeVisible();
  expect(checks.map(({ body }) => body.msisdn)).toEqual([`0${line}`]);
  await buyButton(page).click();
  await expect(fact(page, 'Final amount')).toHaveText('MGA 1,500');
});

test('NOS-4 a quick amount chosen before hydration is kept and used', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/');
  await numberField(page).pressSequentially(freshLine());
  await page.getByText('2,000', { exact: true }).click();
  release();
  await scriptReady(page);
  await expect(amountField(page)).toHaveValue('2\u202f000');
  await expect(buyButton(page)).toBeEnabled();
});

test('NOS-4 a click on BUY AIRTIME before hydration is not lost', async ({ page }) => {
  const line = freshLine();
  const release = await holdScripts(page);
  await page.goto('/');
  await numberField(page).pressSequentially(line);
  await amountField(page).pressSequentially('1000');
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
  await page.getByLabel('Email').pressSequentially('client@example.mg');
  release();
  await scriptReady(page);
  await expect(page.getByLabel('Email')).toHaveValue('client@example.mg');
  await chooseWay(page, 'MPESA');
  await expect(page.getByLabel('Email')).toHaveValue('client@example.mg');
  await chooseWay(page, 'Fanilo Money');
  await expect(payButton(page)).toHaveText('Pay MGA 1,000');
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
});

test('NOS-4 a click on BUY AIRTIME right after hydration, while the number is still being checked, is not lost', async ({
  page,
}) => {
  const line = freshLine();
  const release = await holdScripts(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/subscriber/line-type', async (route) => {
    await promise;
    await route.continue().catch(() => {});
  });
  await page.goto('/');
  await numberField(page).pressSequentially(line);
  await amountField(page).pressSequentially('1000');
  release();
  await scriptReady(page);
  await expect(page.getByText('Checking the number…')).toBeVisible();
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start/);
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
  resolve();
});

/** Fills every control of the page before the script has loaded; returns what was entered. */
async function fillEarly(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const filled: Record<string, string> = {};
    const main = document.getElementById('main') as HTMLElement;
    const controls = main.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
      'input:not([type=hidden]), select, textarea',
    );
    const groups = new Set<string>();
    for (const control of controls) {
      // A quick amount sets the amount field.
      if (control.name === 'chip' || control.disabled || ('readOnly' in control && control.readOnly)) continue;
      const key = `${control.name || control.id} ${control.type}`;
      if (groups.has(key)) continue;
      if (control instanceof HTMLSelectElement) control.selectedIndex = control.options.length - 1;
      else if (control.type === 'checkbox') control.checked = !control.defaultChecked;
      else if (control.type === 'radio') {
        // Choose the first of its group that is not yet checked.
        if (control.checked) continue;
        control.checked = true;
      } else if (control.type === 'tel') control.value = '39 00 000 01';
      else if (control.type === 'email') control.value = 'client@example.mg';
      else if (control.name === 'amount') control.value = '2\u202f000';
      else if (control.inputMode === 'numeric') control.value = '2000';
      else control.value = 'PA10';
      groups.add(key);
      filled[key] = readOf(control);
    }
    return filled;

    function readOf(one: HTMLInputElement | HTMLSelectElement): string {
      if (one.type === 'radio') return one.value;
      return one.type === 'checkbox' ? String((one as HTMLInputElement).checked) : one.value;
    }
  });
}

/** The values of the same controls after hydration and after every lazy part has loaded. */
async function readNow(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const found: Record<string, string> = {};
    const main = document.getElementById('main') as HTMLElement;
    for (const one of main.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
      const key = `${one.name || one.id} ${one.type}`;
      if (one.type === 'radio' && !one.checked) continue;
      if (!(key in found)) found[key] = one.type === 'checkbox' ? String(one.checked) : one.value;
    }
    return found;
  });
}

test.describe('every page', () => {
  // A service worker would serve the scripts despite the hold.
  test.use({ serviceWorkers: 'block' });

  test('NOS-4 everything typed and chosen before hydration is kept, on every form of every page', async ({ page }) => {
    for (const path of builtRoutes)
      await test.step(path, async () => {
        const release = await holdScripts(page);
        await page.goto(path);
        const early = await fillEarly(page);
        release();
        await scriptReady(page);
        await expect.poll(() => readNow(page), path).toMatchObject(early);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      });
  });
});

test('NOS-4 an email typed for an order in the URL survives a slow change of the payment method, and a reload', async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto('/');
  await numberField(page).pressSequentially(freshLine());
  await amountField(page).pressSequentially('1000');
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  const releaseLazyParts = await holdScripts(page, '/lazy-parts-');
  release();
  await scriptReady(page);
  await page.getByLabel('Email').fill('client@example.mg');
  await wayLink(page, 'MPESA').click();
  // Long enough for the loader to appear.
  await page.waitForTimeout(600);
  releaseLazyParts();
  await expect(wayLink(page, 'MPESA')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByLabel('Email')).toHaveValue('client@example.mg');
  await expect(page).toHaveURL(/order=/);
  await page.reload();
  await scriptReady(page);
  await expect(page.getByLabel('Email')).toHaveValue('client@example.mg');
});
