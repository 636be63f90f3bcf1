import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../testing/page.fixture.tsx';

const footerLink = (path: string) => document.querySelector<HTMLAnchorElement>(`footer a[href="${path}"]`);

test.each([
  ['/store_finder/fanilo_shop', /shops$/, 'details'],
  ['/contact-us', /"\/contact-us"/, 'article h1'],
  ['/table', /v1\/bundle$/, 'table'],
  ['/hbb-lead', /v1\/bundle$/, 'table'],
])('a link to %s shows the screen with its data, requested once', async (path, request, content) => {
  const page = await openPage('/about');
  await waitFor(() => expect(footerLink(path)).not.toBeNull());
  await page.user.click(footerLink(path) as HTMLElement);
  await waitFor(() => expect(document.querySelector(`main ${content}`)).not.toBeNull());
  const sent = page.sent.map((call) => (call.query.pageUrl ? JSON.stringify(call.query) : call.path));
  expect(sent.filter((each) => request.test(each))).toHaveLength(1);
});
