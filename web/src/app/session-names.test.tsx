import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { main, says, seen } from '../testing/look.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';

const chosen = (code: string) => new Map([['selectedLanguage', `selectedLanguage=${code}`]]);

test('D18 a tab keeps its language when another tab has chosen a newer one, which serves new tabs only', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as another tab has left it
  document.cookie = 'selectedLanguage=FR; Path=/';
  sessionStorage.setItem('selectedLanguage', 'EN');
  await openPage('/prepaid-recharge', { cookies: chosen('FR') });
  await seen('Recharge a prepaid line', main());
  expect(document.documentElement.lang).toBe('en-GB');
  expect(sessionStorage.getItem('selectedLanguage')).toBe('EN');
  expect(document.cookie).toContain('selectedLanguage=FR');

  sessionStorage.clear();
  await openPage('/prepaid-recharge', { cookies: chosen('FR') });
  await waitFor(() => expect(sessionStorage.getItem('selectedLanguage')).toBe('FR'));
  expect(says('Recharge a prepaid line', main())).toBe(false);
});

test.each([
  '/',
  '/prepaid-recharge',
  '/postpaid-bill-pay',
  '/data-bundle',
  '/broadband-recharge',
  '/orp/fixed-internet',
])('D19 %s writes itself as redirect_url, a bare path', async (path) => {
  await openPage(path);
  await waitFor(() => expect(sessionStorage.getItem('redirect_url')).toBe(path));
});

test('D19 the home-broadband page keeps where it was come from, writes its device, and knows a sales visit by the names of the specification', async () => {
  sessionStorage.setItem('redirect_url', '/data-bundle');
  const { load } = await openPage('/hbb-lead?isFaniloWorks=true&id=AW-7');
  await seen('Fanilo Works visit AW-7');
  await waitFor(() => expect(sessionStorage.getItem('isFaniloWorks')).toBe('true'));
  expect(sessionStorage.getItem('id')).toBe('AW-7');
  expect(sessionStorage.getItem('redirect_url')).toBe('/data-bundle');
  expect(Object.keys(JSON.parse(sessionStorage.getItem('devices_detail') ?? '{}'))).toEqual([
    'heading_image',
    'deviceName',
    'features',
  ]);
  await load('/hbb-lead');
  await seen('Fanilo Works visit AW-7');

  sessionStorage.clear();
  await openPage('/hbb-lead');
  await waitFor(() => expect(sessionStorage.getItem('redirect_url')).toBe('/'));
  expect(says(/Works visit/)).toBe(false);
});
