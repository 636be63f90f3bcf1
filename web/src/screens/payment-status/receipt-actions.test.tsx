import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, fact, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine, orderFor } from '../../testing/orders.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';

/** Paid with the line's own wallet, which approves automatically. */
async function paid(line: string) {
  const page = await openPage('/payment/start/fanilo-money', { order: orderFor(line, { amount: 1_500 }) });
  await waitFor(() => press(button(/^Pay /)));
  await seen('Thank you');
  return page;
}

test('the reference of a payment is copied as shown, and the page confirms it', async () => {
  await paid(freshLine());
  const copied: string[] = [];
  const writeText = async (text: string) => void copied.push(text);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  press(button('Copy the reference'));
  await seen('The reference is copied.');
  expect(copied).toEqual([fact('Reference')]);
});

test('a repeated purchase is a new order for the same number and amount, and nothing is paid before it is confirmed', async () => {
  const line = freshLine();
  const page = await paid(line);
  const [first] = page.sentTo('/initiate');
  press(button('Buy again for MGA 1,500'));
  await waitFor(() => expect(says('How do you want to pay?')).toBe(true));
  expect(main().textContent).toContain('MGA\u00a01,500');
  expect(page.sentTo('/initiate')).toHaveLength(1);
  await waitFor(() => press(link(/^Fanilo Money/, main())));
  await waitFor(() => press(button(/^Pay MGA 1,500/)));
  await waitFor(() => expect(page.sentTo('/initiate')).toHaveLength(2));
  // Within minutes it might be a mistake, so the portal asks for confirmation.
  await seen('You made the same purchase a few minutes ago');
  press(button('Pay again'));
  await waitFor(() => expect(page.sentTo('/initiate')).toHaveLength(3));
  expect(page.sentTo('/initiate').at(-1)?.body).toMatchObject({
    amount: first?.body.amount,
    mobileNumber: first?.body.mobileNumber,
  });
  await seen('Thank you');
});
