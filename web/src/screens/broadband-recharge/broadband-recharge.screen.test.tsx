import { expect, test } from 'vitest';
import { button, buttons, field, fill, link, main, says, seen } from '../../testing/look.fixture.ts';
import { freshLine } from '../../testing/orders.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';

test('BRB-1 a mobile number is reported as one with a link to its recharge; an unknown number is invalid', async () => {
  await openPage('/broadband-recharge');
  const line = freshLine();
  fill(field('Mobile number'), line);
  await seen(/^This is a mobile line, not a broadband line\./);
  expect(link('Recharge it', main()).getAttribute('href')).toBe(`/prepaid-recharge?msisdn=${line}`);
  expect(link('Bundles for this number', main()).getAttribute('href')).toBe(`/data-bundle?msisdn=${line}`);
  expect(button('SHOW BUNDLES')).toBeDisabled();
  expect(buttons('Try again')).toEqual([]);
  fill(field('Mobile number'), '390000009');
  await seen('Invalid Mobile No');
  expect(says(/^This is a mobile line/, main())).toBe(false);
  fill(field('Mobile number'), '390000005');
  await seen('Broadband line');
});
