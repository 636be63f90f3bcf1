import { expect, test } from '@playwright/test';
import { publicRoutes } from '../fixtures/routes.ts';
import { followFooter, open } from '../fixtures/walk.ts';

test('APP-15 every page is reachable by links from home, and no link is broken @desktop', async ({ request }) => {
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
      // Each filter has a URL of its own; test one of them, in one language.
      if (address.search !== '' || /^\/(sw|mg)(\/|$)/.test(address.pathname)) continue;
      waiting.push(address.pathname);
    }
  }
  const dead = [...seen].filter(([, status]) => status >= 400);
  expect(dead).toEqual([]);
  const hidden = ['/payment/start', '/page-not-found', '/storeLocator'];
  for (const route of publicRoutes.filter((one) => !hidden.includes(one))) expect([...seen.keys()]).toContain(route);
});

test('APP-10 when the content service fails, pages still show their texts, header and footer', async ({ page }) => {
  await page.route('**/cms/**', (route) => route.abort());
  await open(page, '/');
  await followFooter(page, 'About us');
  await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('À propos de Fanilo');
  await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link').first()).toBeVisible();
});

test('APP-4 a slow page shows the loader in view: logo, title and two lines, in the default texts or those of the content service', async ({
  page,
}) => {
  const loader = page.getByRole('main').getByRole('status');
  /** Follows a link whose page does not come before the loader was looked at. */
  async function slowly(from: string, link: string, [title, ...lines]: [string, string, string], came: string) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open(page, from);
    await page.route(/about\.screen.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await followFooter(page, link);
    await expect(loader.locator('svg').first()).toBeInViewport();
    await expect(loader.locator('strong')).toHaveText(title);
    await expect(loader.locator('strong')).toBeInViewport();
    for (const line of lines) await expect(loader.getByText(line)).toBeInViewport();
    release();
    await expect(page.getByRole('heading', { level: 1, name: came })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  }
  /** The same while the script that brings the loader is slow as well. */
  async function slowlyAltogether() {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/(later|about\.screen)-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await open(page, '/');
    await followFooter(page, 'About us');
    await expect(page.getByText('Please wait ...')).toBeInViewport();
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  }
  await slowlyAltogether();
  const words = (url: URL) => /loader-translation/.test(url.searchParams.get('pageUrl') ?? '');
  await page.route(words, (route) => route.abort());
  const defaults: [string, string, string] = ['Please wait ...', 'Hold on!', 'We are loading the page for you'];
  await slowly('/', 'About us', defaults, 'About Fanilo');
  const french: [string, string, string] = ['Veuillez patienter…', 'Un instant !', 'Nous chargeons la page pour vous'];
  await slowly('/sw', 'À propos de nous', french, 'À propos de Fanilo');
});
