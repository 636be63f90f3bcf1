import { expect, test } from '@playwright/test';
import { publicRoutes } from '../fixtures/routes.ts';
import { open } from '../fixtures/walk.ts';

test('APP-15 every page is reached by link from home, and no link leads nowhere @desktop', async ({ request }) => {
  const seen = new Map<string, number>();
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined && seen.size < 400; path = waiting.shift()) {
    if (seen.has(path)) continue;
    const answer = await request.get(path);
    seen.set(path, answer.status());
    if (!answer.headers()['content-type']?.includes('text/html')) continue;
    const html = await answer.text();
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const address = new URL(href.replaceAll('&amp;', '&'), 'http://portal.example/');
      if (address.host !== 'portal.example' || address.pathname.startsWith('/sandbox')) continue;
      // Each filter of the tables is an address of its own; one of them stands for all, and so does one language.
      if (address.search !== '' || /^\/(sw|mg)(\/|$)/.test(address.pathname)) continue;
      waiting.push(address.pathname);
    }
  }
  const dead = [...seen].filter(([path, status]) => status >= 400 && path !== '/payment/status');
  expect(dead).toEqual([]);
  const hidden = ['/payment/start', '/page-not-found', '/storeLocator', '/payment/status'];
  for (const route of publicRoutes.filter((one) => !hidden.includes(one))) expect([...seen.keys()]).toContain(route);
});

test('APP-10 a content service that fails blanks no page: words, header and footer are still there', async ({
  page,
}) => {
  await page.route('**/cms/**', (route) => route.abort());
  await open(page, '/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('À propos de Fanilo');
  await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link').first()).toBeVisible();
});

test('APP-4 a slow page says so: logo, title and two lines, in the words of the content service', async ({ page }) => {
  await open(page, '/');
  await page.route(/about.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await route.continue();
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click();
  const loader = page.getByRole('main').getByRole('status');
  await expect(loader).toContainText('Please wait ...');
  await expect(loader).toContainText('Hold on!');
  await expect(loader).toContainText('We are loading the page for you');
  await expect(loader.locator('svg').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();

  await page.route('**/cms/webpage/activePackage*loader-translation*', (route) =>
    route.fulfill({ json: { packageHtml: JSON.stringify({ wait: 'W', holdOn: 'H', loadingMessage: 'L' }) } }),
  );
  await page.evaluate(() => sessionStorage.clear());
  await open(page, '/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click();
  await expect(loader).toContainText('WHL');
});
