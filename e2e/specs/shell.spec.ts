import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { registerPayment } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { builtRoutes, publicRoutes } from '../fixtures/routes.ts';
import {
  amountField,
  buyButton,
  followFooter,
  numberField,
  open,
  prepaidLine,
  scriptReady,
  store,
  storedLanguage,
} from '../fixtures/walk.ts';

const main = (page: Page) => page.getByRole('main');

test.describe('routes', () => {
  test('APP-1 a link opens a route without reloading the document', async ({ page }) => {
    await open(page, '/');
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await followFooter(page, 'About us');
    await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
    await expect(page).toHaveURL(/\/about$/);
    await expect(page).toHaveTitle('About Fanilo · Fanilo');
    await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeFocused();
    await page.goBack();
    await expect(buyButton(page)).toBeVisible();
    await expect(page).toHaveTitle('Recharge in a minute · Fanilo');
    expect(documents).toEqual([]);
  });

  test('APP-1 a navigation that finishes after the user went back is ignored @desktop', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/about\.screen[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await open(page, '/');
    await followFooter(page, 'About us');
    await expect(page).toHaveURL(/\/about$/);
    const came = page.waitForResponse(/\/assets\/about\.screen[^/]*\.js$/);
    await page.goBack();
    release();
    await (await came).finished();
    // If it were shown, it would be within moments.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await expect(buyButton(page)).toBeVisible();
    await expect(page).toHaveTitle(/Recharge/);
    await followFooter(page, 'About us');
    await expect(page.getByRole('heading', { level: 1, name: /Fanilo/ })).toBeVisible();
  });

  test('D2 an unknown URL shows the about page with 404 and noindex @desktop', async ({ page }) => {
    for (const address of ['/page-not-found', '/no/such/page', '/sw/nulle-part']) {
      const answer = await page.goto(address);
      expect(answer?.status(), address).toBe(404);
      await expect(main(page).getByRole('heading', { level: 1 }), address).toHaveText(/Fanilo/);
      await expect(page.locator('meta[name=robots]'), address).toHaveAttribute('content', 'noindex');
      await expect(main(page).getByRole('link').first(), address).toBeVisible();
    }
    await page.goto('/about');
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  });

  test('every public page is reachable by links from home, on a phone and on a wide screen', async ({ page }) => {
    await page.goto('/');
    for (const width of [360, 1280]) {
      await resize(page, { width, height: 800 });
      // Those of the footer fold on a phone.
      const links = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
      const elsewhere = ['/payment/start', '/page-not-found', '/storeLocator'];
      expect(publicRoutes.filter((route) => !links.includes(route) && !elsewhere.includes(route))).toEqual([]);
    }
  });
});

test.describe('the error view', () => {
  test('APP-3 ERR-1 a thrown response shows its status and text, and a link home @desktop', async ({ page }) => {
    await open(page, '/payment/start/nonsense');
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByText('404 Not Found')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await expect(buyButton(page)).toBeVisible();
  });

  test('APP-3 ERR-1 a script that never arrives is a ChunkLoadError after 120 s, with a retry @desktop', async ({
    page,
  }) => {
    await page.clock.install();
    let held = 0;
    await page.route(/\/assets\/prepaid-recharge[^/]*\.js$/, async (route) => {
      if (held++ === 0) return;
      await route.continue();
    });
    await page.goto('/prepaid-recharge');
    await page.keyboard.press('Shift');
    await expect.poll(() => held).toBeGreaterThan(0);
    // The clock of the limit starts when the entry script runs.
    await expect(async () => {
      await page.clock.runFor(121_000);
      await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(page.getByText('The page took too long to load.')).toBeVisible();
    await expect(buyButton(page)).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.clock.resume();
    await scriptReady(page);
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeHidden();
  });

  test('APP-3 D1 a script that cannot be fetched is told in the page’s language, and a retry loads it @desktop', async ({
    page,
  }) => {
    let isGone = true;
    await page.route(/\/assets\/prepaid-recharge[^/]*\.js$/, (route) => (isGone ? route.abort() : route.continue()));
    await page.goto('/mg/prepaid-recharge');
    await page.keyboard.press('Shift');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Tsy nahazo valiny izahay.');
    await expect(page.locator('body')).not.toContainText(/fetch|module/i);
    await expect(alert.getByRole('link')).toHaveAttribute('href', '/mg');
    isGone = false;
    await alert.getByRole('button', { name: 'Andramo indray' }).click();
    await scriptReady(page);
    await expect(alert).toBeHidden();
  });
});

test.describe('languages', () => {
  const languages = (page: Page) => page.getByRole('banner').getByRole('navigation', { name: /^(Language|Langue)$/ });

  test('APP-9 a change keeps the page, its inputs and the document, and applies to the following pages', async ({
    page,
  }) => {
    await open(page, '/prepaid-recharge');
    const line = freshLine();
    await numberField(page).fill(line);
    await amountField(page).fill('1500');
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await languages(page).getByRole('link', { name: 'Français' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
    await expect(page).toHaveURL(/\/sw\/prepaid-recharge$/);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Recharge a prepaid line');
    await expect(page.locator('input[name=msisdn]:visible')).toHaveValue(new RegExp(line.slice(-2)));
    await expect(page.locator('input[name=amount]')).toHaveValue('1\u202f500');
    await expect.poll(() => storedLanguage(page)).toBe('FR');
    await languages(page).getByRole('link', { name: 'English' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recharge a prepaid line');
    await expect.poll(() => storedLanguage(page)).toBe('EN');
    await resize(page, { width: 1280, height: 800 });
    await languages(page).getByRole('link', { name: 'Français' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
    expect(documents).toEqual([]);
    await page.getByRole('contentinfo').locator('a[href="/sw/about"]').click();
    await expect(page).toHaveURL(/\/sw\/about$/);
    await page.goto('/about');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
  });

  test('D1 a prefix opens its language and stores it; ?lang= stores a choice @desktop', async ({ page }) => {
    await open(page, '/sw/prepaid-recharge');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
    await expect.poll(() => storedLanguage(page)).toBe('FR');
    await open(page, '/mg');
    await expect(page.locator('html')).toHaveAttribute('lang', 'mg-MG');
    await expect.poll(() => storedLanguage(page)).toBe('MG');
    await page.goto('/mg/about?lang=EN');
    await expect(page).toHaveURL(/:\d+\/about$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB');
    await open(page, '/prepaid-recharge');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB');
  });

  test.describe('with a French browser', () => {
    test.use({ locale: 'fr-FR' });
    test('D1 without a choice the browser’s language is used @desktop', async ({ page }) => {
      await open(page, '/prepaid-recharge');
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
      await expect.poll(() => storedLanguage(page)).toBe('FR');
    });
  });

  test.describe('with a browser in an unsupported language', () => {
    test('D1 English is used @desktop', async ({ request }) => {
      const html = await (await request.get('/', { headers: { 'accept-language': 'de-DE' } })).text();
      expect(html).toContain('<html lang="en-GB">');
    });
  });
});

test.describe('the network', () => {
  test('APP-14 offline, the page says so, keeps what was typed, and goes on when it is online again', async ({
    page,
    context,
  }) => {
    const line = freshLine();
    await open(page, '/prepaid-recharge');
    await amountField(page).fill('1000');
    await context.setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await numberField(page).fill(line);
    await expect(page.getByText('We could not check this number just now.')).toBeVisible();
    await expect(page.getByText('Invalid Mobile No')).toBeHidden();
    await context.setOffline(false);
    await expect(page.getByText('You are offline.')).toBeHidden();
    await expect(prepaidLine(page)).toBeVisible();
    await expect(amountField(page)).toHaveValue('1\u202f000');
    await expect(buyButton(page)).toBeEnabled();
  });
});

test.describe('the OpenAPI document', () => {
  test('the committed document is served, with a page to browse it @desktop', async ({ page, request }) => {
    const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(await (await request.get('/openapi.json')).json()).toEqual(JSON.parse(committed));
    await page.goto('/docs/api');
    await expect(page.getByText('/orp/bfe/api/portal-service/transaction/v1/initiate').first()).toBeVisible();
  });
});

test.describe('a walk over all pages', () => {
  const headings: Record<string, string> = {
    '/': 'Recharge in a minute',
    '/prepaid-recharge': 'Recharge a prepaid line',
    '/data-bundle': 'Buy a bundle',
    '/table': 'Every tariff',
    '/postpaid-bill-pay': 'Pay a postpaid bill',
    '/broadband-recharge': 'Recharge a broadband line',
    '/orp/fixed-internet': 'Pay a fixed internet bill',
    '/contact-us': 'Contact us',
    '/give_your_feedback': 'Tell us',
    '/more-fanilo-money': 'Fanilo Money',
    '/privacy-policy': 'Privacy',
    '/hbb-lead': 'Home broadband',
    '/hbb-lead-status': 'Follow your request',
    '/gethelp': 'How can we help?',
    '/about': 'About Fanilo',
    '/openNetworks': 'Network coverage',
    '/storeLocator': 'Find Fanilo in your town',
    '/store-locator': 'Find Fanilo in your town',
    '/store_finder/fanilo_shop': 'Fanilo shops',
    '/store_finder/dealers': 'Dealers',
    '/payment/status': 'Where is my payment?',
    '/payment/start': 'There is nothing to pay for here',
  };

  test('APP-1 APP-2 SEC-9 every route is a page with its security headers, violates none of its policies, loads only its own scripts, and hydrates without a difference @desktop', async ({
    page,
    baseURL,
  }) => {
    const violations: string[] = [];
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) violations.push(message.text());
      // The browser logs an error for every 404.
      else if (message.type() === 'error' && !/status of 404/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const scripts = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(new URL(request.url()).origin);
    });
    const line = freshLine();
    const id = await registerPayment(line);
    const ways = ['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash'].map((way) => `/payment/start/${way}`);
    const more = ['/__ui', '/sw', '/mg', `/payment/status?id=${id}`, `/payment/status/${id}`];
    const asked = [
      '/data-bundle?product=D1G7',
      '/table?sort=price&budget=5000',
      '/openNetworks?q=Toamasina&technology=4G',
      '/store-locator?q=501',
      '/mg/prepaid-recharge',
    ];
    expect(Object.keys(headings).sort()).toEqual([...builtRoutes].sort());
    for (const route of [...publicRoutes, ...ways, ...more, ...asked]) {
      // Payment pages need an order.
      if (route === ways[0]) await store(page, 'QueryData', orderFor(line));
      const answer = await page.goto(route);
      const headers = answer?.headers() ?? {};
      const policy = headers['content-security-policy'] ?? '';
      // Only the card page's policy allows another origin: the gateway's popup.
      const others = route === '/payment/start/card' ? '( http://127\\.0\\.0\\.1:\\d+)?' : '';
      expect(policy, route).toMatch(new RegExp(`script-src 'self'${others} '(nonce-[\\w-]{16,}|sha256-[\\w+/]{43}=)'`));
      for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy, route).toContain(rule);
      expect(policy, route).not.toContain('unsafe');
      expect(headers, route).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
      });
      await page.keyboard.press('Shift');
      await scriptReady(page);
      if (builtRoutes.includes(route)) {
        expect(answer?.status(), route).toBe(200);
        await expect(main(page).getByRole('heading', { level: 1 }), route).toHaveText(headings[route] ?? '');
      } else await expect(main(page).getByRole('heading').first(), route).toBeVisible();
    }
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...scripts]).toEqual([new URL(baseURL ?? '').origin]);
  });
});

test('PRF-2 a partly received header shows nothing that would shift', async ({ page, request }) => {
  const html = await (await request.get('/')).text();
  const cut = html.indexOf('</a>', html.indexOf('title="English"'));
  expect(cut).toBeGreaterThan(0);
  let arrived = html.slice(0, cut);
  await page.route('/', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: arrived }));
  await page.goto('/');
  const languages = page.getByRole('navigation', { name: 'Language', includeHidden: true });
  await expect(languages).toBeAttached();
  const wide = { width: 1280, height: 800 };
  const phone = page.viewportSize() ?? wide;
  for (const shape of [wide, phone]) {
    await resize(page, shape);
    await expect(languages).toBeHidden();
  }
  arrived = html;
  await page.goto('/');
  for (const shape of [wide, phone]) {
    await resize(page, shape);
    await expect(languages).toBeVisible();
  }
});

test('PRF-2 the first tabs of a partly received page are at their final position', async ({ page, request }) => {
  const html = await (await request.get('/postpaid-bill-pay')).text();
  const tabs = page.getByRole('navigation', { name: 'Recharge and pay' }).getByRole('link');
  const placesOf = async (arrived: string) => {
    await page.route('/postpaid-bill-pay', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: arrived }),
    );
    await page.goto('/postpaid-bill-pay');
    return tabs.evaluateAll((links) =>
      links.map((link) => [(link as HTMLElement).offsetLeft, (link as HTMLElement).offsetWidth]),
    );
  };
  const cut = html.indexOf('</a>', html.indexOf('</a>', html.indexOf('aria-label="Recharge and pay"')) + 1);
  const some = await placesOf(html.slice(0, cut));
  expect(some).toHaveLength(2);
  expect((await placesOf(html)).slice(0, 2)).toEqual(some);
});

test('all tabs fit on a wide screen @desktop', async ({ page }) => {
  for (const prefix of ['', '/sw', '/mg']) {
    await page.goto(`${prefix}/postpaid-bill-pay`);
    const room = await main(page)
      .getByRole('navigation')
      .evaluate((tabs) => tabs.clientWidth - tabs.scrollWidth);
    expect(room, prefix).toBe(0);
  }
});

test('the sitemap lists every page in every language, and each page has its canonical link and alternates @desktop', async ({
  page,
  request,
}) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const found = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname);
  for (const route of builtRoutes.filter((one) => !one.startsWith('/payment')))
    for (const prefix of ['', '/sw', '/mg']) expect(found).toContain(route === '/' ? prefix || '/' : prefix + route);
  for (const prefix of ['', '/sw', '/mg'])
    expect(found).toContain(`${prefix}/gethelp/recharge/amounts/smallest-amount`);
  expect(sitemap).toMatch(
    /<loc>[^<]+\/mg\/gethelp\/recharge\/amounts\/smallest-amount<\/loc><xhtml:link rel="alternate" hreflang="en-GB"/,
  );
  expect(found.some((path) => /\/payment|\/offline/.test(path))).toBe(false);
  expect(await (await request.get('/robots.txt')).text()).toContain('/sitemap.xml');
  const descriptions = new Set<string>();
  for (const route of ['/', '/table', '/sw/table', '/contact-us']) {
    await page.goto(route);
    const content = async (selector: string) => (await page.locator(selector).getAttribute('content')) ?? '';
    const description = await content('meta[name=description]');
    expect(description).toContain('Fanilo');
    expect(await content('meta[property="og:description"]')).toBe(description);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${route}$`));
    await expect(page.locator('link[rel=alternate]')).toHaveCount(3);
    descriptions.add(description);
  }
  expect(descriptions.size).toBe(4);
});

test('sharing shares the current page, not the one that was rendered first', async ({ page }) => {
  const canonical = page.locator('link[rel=canonical]');
  await page.goto('/prepaid-recharge');
  await scriptReady(page);
  await expect(canonical).toHaveAttribute('href', /\/prepaid-recharge$/);
  await main(page).getByRole('link', { name: 'Bundles' }).click();
  await expect(page).toHaveURL('/data-bundle');
  await expect(canonical).toHaveCount(0);
});
