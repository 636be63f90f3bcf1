import { waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { button, field, fill, link, main, press, seen } from '../testing/look.fixture.ts';
import { freshLine, orderFor } from '../testing/orders.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';

/** Sets the navigation type that the browser reports. */
function loadedBy(type: 'reload' | 'navigate') {
  const entries = (kind: string) => (kind === 'navigation' ? [{ type }] : []) as unknown as PerformanceEntryList;
  performance.getEntriesByType = entries;
}

const { getEntriesByType } = performance;
afterEach(() => {
  performance.getEntriesByType = getEntriesByType;
});

const kept = () => sessionStorage.getItem('typed');
const grouped = (line: string) => line.replace(/^(..)(..)(...)(..)$/, '$1 $2 $3 $4');
/** Types once the lazy script that stores input has loaded; the toast region shows that. */
async function typeKept(label: string, line: string) {
  await waitFor(() => expect(document.querySelector('[aria-live="assertive"]')).toBeInTheDocument());
  fill(field(label), line);
  await isKept(grouped(line));
}
const isKept = (text: string) => expect.poll(() => kept() ?? '').toContain(text);

test('APP-14 a reload keeps the number and the amount that were typed, a new visit does not', async () => {
  const line = freshLine();
  const page = await openPage('/prepaid-recharge');
  await typeKept('Mobile number', line);
  fill(field('Amount'), '2500');
  await isKept('500');

  loadedBy('reload');
  await page.load('/prepaid-recharge');
  await waitFor(() => expect(field('Mobile number')).toHaveValue(grouped(line)));
  expect(field('Amount')).toHaveValue('2\u202f500');
  await waitFor(() => expect(button('BUY AIRTIME')).toBeEnabled());

  // A number in the URL is shown first; what was typed over it is stored all the same.
  const other = freshLine();
  loadedBy('navigate');
  await page.load(`/prepaid-recharge?msisdn=${other}`);
  await waitFor(() => expect(kept()).toBeNull());
  expect(field('Mobile number')).toHaveValue(grouped(other));
  fill(field('Mobile number'), line);
  await isKept(grouped(line));
  loadedBy('reload');
  await page.load(`/prepaid-recharge?msisdn=${other}`);
  await waitFor(() => expect(field('Mobile number')).toHaveValue(grouped(line)));
});

test('APP-14 D19 what a payer typed is kept for a reload too, and another page forgets it', async () => {
  const order = orderFor(freshLine());
  const page = await openPage('/payment/start/mpesa', { order });
  const payer = freshLine();
  await seen('Phone number');
  await typeKept('Phone number', payer);
  loadedBy('reload');
  await page.load('/payment/start/mpesa');
  await waitFor(() => expect(field('Phone number')).toHaveValue(grouped(payer)));
  press(link('Cancel', main()));
  await waitFor(() => expect(kept()).toBeNull());
});

test('SEC-8 no PIN and no code is kept, and nothing at all on a shared phone', async () => {
  await openPage('/prepaid-recharge');
  const line = freshLine();
  await typeKept('Mobile number', line);
  const form = document.createElement('form');
  form.method = 'post';
  form.innerHTML = '<input name="pin" type="password"><input name="otp"><textarea name="text"></textarea>';
  document.body.append(form);
  for (const secret of form.querySelectorAll<HTMLInputElement>('input,textarea')) fill(secret, '471234');
  expect(kept()).not.toContain('471234');

  localStorage.setItem('sharedPhone', '1');
  sessionStorage.clear();
  fill(field('Mobile number'), freshLine());
  fill(field('Amount'), '3000');
  expect(kept()).toBeNull();
  // Earlier input does not reappear when the phone is no longer shared.
  localStorage.clear();
  fill(field('Amount'), '4000');
  expect(kept()).not.toContain(grouped(line));
});
