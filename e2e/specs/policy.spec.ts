import { expect, test } from '@playwright/test';
import { followFooter, open } from '../fixtures/walk.ts';
import { metricsKey } from '../stack.ts';

test('SEC-29 only our Trusted Types policy turns text into markup or script; violations are reported and counted', async ({
  page,
  request,
}) => {
  const counted = async () => {
    const metrics = await request.get('/metrics', { headers: { authorization: `Bearer ${metricsKey}` } });
    const counts = (await metrics.text()).matchAll(/^portal_policy_violations_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const forbidden: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) forbidden.push(message.text());
  });
  await open(page, '/gethelp');

  await test.step('the portal’s own pages pass the policy, also when rendered in the browser', async () => {
    await followFooter(page, 'About us');
    await expect(page.getByRole('heading', { level: 1, name: 'About Fanilo' })).toBeVisible();
    await expect(page.locator('main p').first()).toBeVisible();
    expect(forbidden).toEqual([]);
  });

  await test.step('other text does not', async () => {
    const before = await counted();
    const refusals = await page.evaluate(() => {
      const tries: (() => unknown)[] = [
        () => {
          document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
        },
        () => {
          document.createElement('script').src = 'https://elsewhere.example/script.js';
        },
        () => document.body.setAttribute('onclick', 'alert(1)'),
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
    expect(refusals).toEqual(Array(4).fill('TypeError'));
    await expect.poll(() => counted()).toBeGreaterThan(before);
  });

  await test.step('an injected script does not run', async () => {
    const title = await page.evaluate(() => {
      const script = document.createElement('script');
      script.append('document.title = "taken over"');
      document.body.append(script);
      return document.title;
    });
    expect(title).not.toBe('taken over');
  });
});
