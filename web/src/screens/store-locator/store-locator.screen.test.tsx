import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, field, fill, link, press, says, seen } from '../../testing/look.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';

const refused = /^We are unable to access your Current Location\./;

/** Simulates a denied location permission. */
function refusePosition() {
  const getCurrentPosition = (_: unknown, fail: (error: { code: number }) => void) => fail({ code: 1 });
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
}

test('STO-3 a refused position is reported, and the shops already found are kept', async () => {
  await openPage('/storeLocator');
  refusePosition();
  press(button('Use current location'));
  await seen(refused);
  expect(says('No results')).toBe(true);

  fill(field('City or pincode'), 'Antsirabe');
  press(button('Search'));
  await waitFor(() => expect(document.querySelectorAll('[data-shop]').length).toBeGreaterThan(0));
  const shops = () => [...document.querySelectorAll('[data-shop]')].map(({ textContent }) => textContent);
  const before = shops();
  press(button('Use current location'));
  await seen(refused);
  expect(shops()).toEqual(before);
  expect(says('No results')).toBe(false);
});

test('where the browser cannot draw a map, a notice says so, and the shops are listed', async () => {
  await import('../../features/map/map-parts.ts');
  await openPage('/storeLocator');
  await waitFor(() => expect(document.querySelector('[data-state=here]')).not.toBeNull());
  fill(field('City or pincode'), 'Antsirabe');
  press(button('Search'));
  await seen(/The map could not be loaded/);
  expect(document.querySelectorAll('[data-shop]').length).toBeGreaterThan(0);
});

test('towns with shops are listed at once, and each links to its shops', async () => {
  await openPage('/storeLocator');
  await seen('Towns with shops');
  press(link('Antsirabe'));
  await waitFor(() => expect(document.querySelectorAll('[data-shop]').length).toBeGreaterThan(0));
  expect(says('Towns with shops')).toBe(false);
});
