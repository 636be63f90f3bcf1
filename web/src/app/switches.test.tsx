import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../testing/page.fixture.tsx';

/** The links of header, footer and page; those in content are the operator's own. */
const linked = () =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')]
    .filter((one) => one.closest('article') === null)
    .map((one) => one.pathname);

const finder = ['/store-locator', '/storeLocator', '/store_finder/fanilo_shop', '/store_finder/dealers'];

test.each([
  ['storeFinder', finder],
  ['contactSection', ['/contact-us']],
] as const)(
  'D21 with %s switched off neither home, header, footer nor the related links of an answer lead to its pages',
  async (feature, own) => {
    const isOwn = (path: string) => (own as readonly string[]).includes(path);
    for (const path of ['/', '/gethelp/codes/code-missing/code-not-arrived']) {
      await openPage(path);
      await waitFor(() => expect(linked().filter(isOwn).length, path).toBeGreaterThan(0));
      await openPage(path, { features: { [feature]: false } });
      await waitFor(() => expect(document.querySelector('footer a')).not.toBeNull());
      expect(linked().filter(isOwn), path).toEqual([]);
    }
  },
);

test('D21 page timings are sent with KPI on, and none with it off', async () => {
  const timings = (page: Awaited<ReturnType<typeof openPage>>) =>
    page.sent.filter(({ body }) => (body as { event?: string }).event === 'page_timing');
  const views = (page: Awaited<ReturnType<typeof openPage>>) =>
    page.sent.filter(({ body }) => (body as { event?: string }).event === 'page_view');
  const on = await openPage('/about', { features: { kpi: true } });
  await waitFor(() => expect(timings(on).length).toBeGreaterThan(0));
  const off = await openPage('/about');
  await waitFor(() => expect(views(off)).toHaveLength(1));
  // Toasts come with the same script as the timings, after hydration.
  await waitFor(() => expect(document.querySelector('[aria-live=assertive]')).not.toBeNull());
  expect(timings(off)).toEqual([]);
});
