import { expect, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { expectNoViolationsInAnyLight, violationsOn } from '../fixtures/axe.ts';
import { registerPayment, startPayment } from '../fixtures/portal.ts';
import { codeFor } from '../fixtures/sandbox.ts';
import { open, storeOrder } from '../fixtures/walk.ts';

/** Each language in one shape, because all combinations would take long and add little. */
const looks = [
  { name: 'English', prefix: '', shape: '' },
  { name: 'French', prefix: '/sw', shape: ' @desktop' },
] as const;

for (const { name, prefix, shape } of looks) {
  test.describe(`in ${name}${shape}`, () => {
    test.use({ colorScheme: 'light' });

    test('axe finds no violation on the pages, in a form with errors and in the UI components', async ({ page }) => {
      for (const path of [
        '',
        '/prepaid-recharge',
        '/data-bundle?product=D1G7',
        // Filtered, because its two hundred rows are alike.
        '/table?q=Miaraka',
        '/about',
        '/openNetworks?q=Toamasina',
        '/store-locator?q=501',
        '/store_finder/dealers?q=ihosy',
        '/gethelp',
        '/no-such-page',
        '/payment/start/nonsense',
      ]) {
        await open(page, prefix + path || '/');
        await expectNoViolationsInAnyLight(page, prefix + path);
      }
      await test.step('a form with errors', async () => {
        await open(page, `${prefix}/prepaid-recharge`);
        await page.locator('input[name=msisdn]').fill('390000009');
        await page.locator('input[name=amount]').fill('1');
        await expect(page.locator('input[name=msisdn]')).toHaveAttribute('aria-invalid', 'true');
        await expectNoViolationsInAnyLight(page, 'errors');
      });
      await test.step('the UI components', async () => {
        await open(page, '/__ui');
        await expectNoViolationsInAnyLight(page, 'pieces');
        await page.getByRole('button', { name: 'Open dialog' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoViolationsInAnyLight(page, 'dialog');
      });
      await test.step('axe reports a violation that is put in', async () => {
        await page.getByRole('dialog').evaluate((dialog) => {
          const picture = document.createElement('img');
          picture.src = '/icon.svg';
          dialog.append(picture, document.createElement('input'));
        });
        expect((await violationsOn(page)).map((found) => found.split(':')[0])).toEqual(
          expect.arrayContaining(['image-alt', 'label']),
        );
      });
    });

    test('axe finds no violation on the payment and status pages', async ({ page }) => {
      const line = freshLine();
      await storeOrder(page, orderFor(line));
      for (const route of ['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash']) {
        await open(page, `${prefix}/payment/start/${route}`);
        await expect(page.locator('form input').first()).toBeVisible();
        await expectNoViolationsInAnyLight(page, route);
      }
      await page.locator('form button[type=submit]').click();
      await expect(page.locator('dialog input')).toBeVisible();
      await expectNoViolationsInAnyLight(page, 'code');
      await page.locator('dialog input').fill(await codeFor(line));
      await expect(page.locator('dialog input[type=password]')).toBeVisible();
      await expectNoViolationsInAnyLight(page, 'PIN');

      const waiting = await registerPayment(line);
      await open(page, `${prefix}/payment/status?id=${waiting}`);
      await expectNoViolationsInAnyLight(page, 'waiting');
      const refused = await registerPayment(line, 1_000, '390000004');
      await startPayment(refused);
      await open(page, `${prefix}/payment/status?id=${refused}`);
      await expectNoViolationsInAnyLight(page, 'failed');
    });
  });
}
