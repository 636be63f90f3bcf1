import { expect, test } from '@playwright/test';
import { open } from '../fixtures/walk.ts';

test('SEC-29 text becomes no markup and no script but by our policy; what is forbidden is reported and counted', async ({
  page,
  request,
}) => {
  const counted = async (directive: string) => {
    const metrics = await (await request.get('/metrics')).text();
    return Number(
      new RegExp(`portal_policy_violations_total\\{directive="${directive}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
    );
  };
  const forbidden: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) forbidden.push(message.text());
  });
  await open(page, '/gethelp');

  await test.step('the portal’s own pages go through it, also when script draws them', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
    await expect(page.locator('main p').first()).toBeVisible();
    expect(forbidden).toEqual([]);
  });

  await test.step('anybody else’s text does not', async () => {
    const before = await counted('require-trusted-types-for');
    const refusals = await page.evaluate(() => {
      const tries: (() => unknown)[] = [
        () => {
          document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
        },
        () => {
          document.createElement('script').src = 'https://elsewhere.example/script.js';
        },
        () =>
          (
            globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
          ).trustedTypes.createPolicy('another', {}),
      ];
      return tries.map((attempt) => {
        try {
          attempt();
          return 'allowed';
        } catch (error) {
          return (error as Error).name;
        }
      });
    });
    expect(refusals).toEqual(['TypeError', 'TypeError', 'TypeError']);
    await expect.poll(() => counted('require-trusted-types-for')).toBeGreaterThan(before);
  });

  await test.step('a script that got into the page does not run', async () => {
    const before = await counted('require-trusted-types-for');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.append('document.title = "taken over"');
      document.body.append(script);
    });
    await expect.poll(() => counted('require-trusted-types-for')).toBeGreaterThan(before);
    expect(await page.title()).not.toBe('taken over');
  });
});
