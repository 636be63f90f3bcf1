import * as errorCodes from '@portal/contract/error-codes.ts';
import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, field, fill, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine } from '../../testing/orders.fixture.ts';
import { openPage, refusal } from '../../testing/page.fixture.tsx';

const path = '/data-bundle';
const bundlesCall = '/product/v1/bundle';
const numberField = () => field('Mobile number');
const products = () => [...main().querySelectorAll('[data-product]')].map((one) => one.getAttribute('data-product'));
const card = (code: string) => [...main().querySelectorAll(`[data-product="${code}"]`)].at(-1)?.textContent ?? '';
const listed = () => waitFor(() => expect(products()).toContain('D1G7'));

async function openFor(line: string) {
  const page = await openPage(path);
  fill(numberField(), line);
  await listed();
  return page;
}

test('BUN-5 BUN-6 a postpaid line has none while the flag is off: No data found', async () => {
  await openPage(path);
  fill(numberField(), '390000002');
  await seen('Postpaid line');
  await seen('No data found');
  expect(products()).toEqual([]);
});

test('a number without bundles says how it is paid, with a link that keeps the number', async () => {
  await openPage(path);
  fill(numberField(), '390000002');
  await seen('This is a postpaid line: it is paid by bill.');
  expect(link('Pay a bill', main()).getAttribute('href')).toBe('/postpaid-bill-pay?msisdn=390000002');
});

test('BUN-1 an unknown number is refused, and a list that failed to load offers a retry', async () => {
  const { between } = await openPage(path);
  fill(numberField(), '390000009');
  await seen('Invalid Mobile No');
  expect(button('SHOW BUNDLES')).toBeDisabled();
  between(bundlesCall, async () => refusal(502, errorCodes.upstreamFailed));
  fill(numberField(), freshLine());
  await seen('in words');
  between(bundlesCall, null);
  press(button('Try again'));
  await listed();
});

test('a change of language reloads the bundles in that language', async () => {
  await openFor(freshLine());
  press(link(/Français$/));
  await waitFor(() => expect(card('D1G7')).toContain('Tselatra 1 Go'));
  expect(card('D1G7')).toContain('Acheter');
});

test('BUN-7 BUN-6 search and needs filter the list, and clearing restores it', async () => {
  await openFor(freshLine());
  const all = products();
  fill(field('Search'), 'NIGHT 2gb');
  await waitFor(() => expect(products()).toEqual(['D2G1N']));
  fill(field('Search'), '');
  press(field('Calls'));
  press(field('SMS'));
  await waitFor(() => expect(products()).not.toContain('D1G7'));
  expect(says('All in one', main())).toBe(true);
  fill(field('Search'), 'nothing like it');
  await seen('No data found');
  press(link('Clear the filters'));
  await waitFor(() => expect(products()).toEqual(all));
  const order = field('Order') as unknown as HTMLSelectElement;
  const cheapest = [...order.options].find(({ text }) => text === 'Cheapest per GB');
  fireEvent.change(order, { target: { value: cheapest?.value } });
  await waitFor(() => expect(products()[0]).toMatch(/N$/));
});

test('a bundle that this number cannot buy is reported', async () => {
  await openPage(`${path}?product=B20G30`);
  fill(numberField(), freshLine());
  await seen(/This bundle is not sold for this line\. These are\./);
  await listed();
});

test('a withdrawn bundle is reported, and others are listed', async () => {
  await openPage(`${path}?product=NOPE`);
  await seen(/This bundle is no longer on sale\./);
  fill(numberField(), freshLine());
  await listed();
});
