import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { QueryData } from '../lib/session.ts';
import { button, main, press, says, seen } from '../testing/look.fixture.ts';
import { freshLine, orderFor } from '../testing/orders.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';

const storedOrder = () => JSON.parse(sessionStorage.getItem('QueryData') ?? '{}') as QueryData;
/** The options of the card gateway picker. */
const gateways = () =>
  [...main().querySelectorAll<HTMLInputElement>('input[type=radio][name=gateway]')].map(({ value }) => value);
const chosen = (code: string) => new Map([['selectedLanguage', `selectedLanguage=${code}`]]);

test('D18 a tab keeps its language when another tab has chosen a newer one, which serves new tabs only', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: set by another tab
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
])('D19 %s stores its path as redirect_url, without a query', async (path) => {
  await openPage(path);
  await waitFor(() => expect(sessionStorage.getItem('redirect_url')).toBe(path));
});

test('D19 the home-broadband page stores the previous page and its device, and reads a sales visit under the names of the specification', async () => {
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

describe('D19 an order is stored under the names of the specification', () => {
  afterEach(() => {
    delete document.documentElement.dataset.theme;
  });

  test('D19 the theme that a flow was entered with is stored with the order, and shown by the pages that follow', async () => {
    const { load } = await openPage('/prepaid-recharge?theme=dark&msisdn=390000001&amount=2000');
    expect(document.documentElement.dataset.theme).toBe('dark');
    await waitFor(() => expect(button('BUY AIRTIME')).toBeEnabled());
    press(button('BUY AIRTIME'));
    await waitFor(() => expect(storedOrder()).toMatchObject({ msisdn: '390000001', theme: 'dark' }));

    delete document.documentElement.dataset.theme;
    await load('/payment/start');
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
  });

  test('D19 an unknown theme, or none, follows the phone’s setting', async () => {
    for (const query of ['theme=purple', '']) {
      await openPage(`/prepaid-recharge?${query}&msisdn=390000001&amount=2000`);
      await waitFor(() => expect(button('BUY AIRTIME')).toBeEnabled());
      press(button('BUY AIRTIME'));
      await waitFor(() => expect(storedOrder()).toMatchObject({ msisdn: '390000001' }));
      expect(storedOrder(), query).not.toHaveProperty('theme');
      expect(document.documentElement.dataset.theme, query).toBeUndefined();
      sessionStorage.clear();
    }
  });

  test('D19 the offered gateways are stored as pgOptions; an order that names some offers only those', async () => {
    const order = orderFor(freshLine());
    const { load } = await openPage('/payment/start', { order });
    await waitFor(() => expect(gateways()).toEqual(['CARD']));
    await waitFor(() => expect(storedOrder().pgOptions).toEqual([{ paymentOpt: 'CARD' }, { paymentOpt: 'ORANGE' }]));
    expect(storedOrder().orderId).toBe(order.orderId);

    sessionStorage.setItem('QueryData', JSON.stringify({ ...order, pgOptions: [{ paymentOpt: 'ORANGE' }] }));
    await load('/payment/start');
    await seen(/Orange Money/, main());
    expect(gateways()).toEqual([]);
    expect(says(/Fanilo Money/, main())).toBe(true);
    expect(storedOrder().pgOptions).toEqual([{ paymentOpt: 'ORANGE' }]);
  });
});
