import { expect, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { expectNothingSticksOut } from '../fixtures/legible.ts';
import { callPortal, paths, registerPayment, startPayment } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { publicRoutes } from '../fixtures/routes.ts';
import { open, openOrder, pay, storeOrder } from '../fixtures/walk.ts';

const neverAnswers = '390000008';

// English is covered by spoken.spec.ts.
for (const [language, prefix] of [
  ['French', '/sw'],
  ['Malagasy', '/mg'],
] as const)
  test(`WCAG 1.4.10 no page has to be scrolled sideways at 320 by 256, which is 400 % of a wide screen, in ${language}`, async ({
    page,
  }) => {
    await resize(page, { width: 320, height: 256 });
    for (const route of publicRoutes) {
      await open(page, prefix + route);
      await expectNothingSticksOut(page, prefix + route);
    }
    await storeOrder(page, orderFor(freshLine()));
    for (const way of ['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash']) {
      await open(page, `${prefix}/payment/start/${way}`);
      await expectNothingSticksOut(page, way);
    }
    await page.goto(`${prefix}/payment/status?id=${await delivered()}`);
    await expectNothingSticksOut(page, 'status');
  });

test('WCAG 1.4.4 no page has to be scrolled sideways with letters of twice the size, on a phone of 360 px and at 640 px', async ({
  page,
}) => {
  await storeOrder(page, orderFor(freshLine()));
  const ways = ['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash'].map((way) => `/payment/start/${way}`);
  for (const route of [...publicRoutes, ...ways, `/payment/status?id=${await delivered()}`]) {
    // The next page is laid out anew, so nothing waits for this one.
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, route);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const width of [360, 640]) await expectNothingSticksOut(page, `${route} at ${width}`, { width, height: 740 });
  }
});

async function delivered(): Promise<string> {
  const id = await registerPayment(freshLine(), 5_000);
  await startPayment(id);
  await expect
    .poll(async () => (await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result?.status)
    .toBe('SUCCESS');
  return id;
}

/** Runs in the page: the contrast of amounts and states. */
function contrasts(): { text: string; ratio: number }[] {
  const numbers = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = (colour: number[]) => {
    const [red = 0, green = 0, blue = 0] = colour
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (node: Element | null): number[] => {
    if (!node) return [255, 255, 255];
    const colour = numbers(getComputedStyle(node).backgroundColor);
    return colour.length === 3 ? colour : behind(node.parentElement);
  };
  const wanted = /^(?:MGA\s[\d,]+|\d[\d,]+\sMGA)$/;
  const nodes = [...document.querySelectorAll<HTMLElement>('main *, dialog[open] *')].filter((node) => {
    const own = [...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = own
      .map(({ nodeValue }) => nodeValue)
      .join('')
      .trim();
    const isState =
      text !== '' && node.closest('[data-status] h1, [data-status] p, li[data-state] > span:nth-child(2)') !== null;
    return node.offsetParent !== null && !node.closest('button, .visually-hidden') && (isState || wanted.test(text));
  });
  return nodes.map((node) => {
    const [one, other] = [light(numbers(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return { text: `${node.className} ${node.innerText.slice(0, 40)}`, ratio: Math.round(ratio * 10) / 10 };
  });
}

test('amounts and states have a contrast of at least 7:1 in light and dark, on home, bundles, payment, waiting and status', async ({
  page,
}) => {
  const screens: Record<string, () => Promise<unknown>> = {
    home: () => open(page, '/'),
    bundles: async () => {
      await open(page, '/data-bundle');
      await page.locator('input[name=msisdn]').fill('390000001');
      await expect(page.locator('[data-picks] [data-product]')).toHaveCount(3);
    },
    payment: () => openOrder(page, orderFor('390000001')),
    waiting: async () => {
      await openOrder(page, orderFor(freshLine()));
      await pay(page, neverAnswers);
      await expect(page.locator('dialog[data-page]')).toBeVisible();
    },
    status: async () => open(page, `/payment/status?id=${await delivered()}`),
    refused: async () => {
      const id = await registerPayment(freshLine(), 1_000, '390000004');
      await startPayment(id);
      await open(page, `/payment/status?id=${id}`);
    },
  };
  for (const [name, show] of Object.entries(screens)) {
    await show();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const seen = await page.evaluate(contrasts);
      expect.soft(seen.length, `${name}, ${colorScheme}`).toBeGreaterThan(0);
      expect
        .soft(
          seen.filter(({ ratio }) => ratio < 7),
          `${name}, ${colorScheme}`,
        )
        .toEqual([]);
    }
  }
});
