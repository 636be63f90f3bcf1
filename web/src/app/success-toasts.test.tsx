import { act, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, field, press, seen } from '../testing/look.fixture.ts';
import { freshLine, orderFor } from '../testing/orders.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';
import { currentToasts } from '../ui/toast-store.ts';

/** A success toast, polite, for three seconds. */
async function told(message: string) {
  await waitFor(() =>
    expect(currentToasts().toasts).toMatchObject([{ kind: 'success', heading: 'Done', message, seconds: 3 }]),
  );
  await waitFor(() =>
    expect(document.querySelector('[aria-live=polite] [data-kind=success]')).toHaveTextContent(message),
  );
}

const withNavigator = (property: string, value: unknown) =>
  Object.defineProperty(navigator, property, { configurable: true, value });

test('D17 copying or sharing a payment shows a success toast', async () => {
  await openPage('/payment/start/fanilo-money', { order: orderFor(freshLine()) });
  await waitFor(() => expect(button(/^Pay /)).toBeEnabled());
  press(button(/^Pay /));
  await seen('Thank you');
  const written: string[] = [];
  withNavigator('clipboard', { writeText: async (text: string) => void written.push(text) });
  press(button('Share'));
  await told('The link is copied.');
  expect(written).toEqual([expect.stringMatching(/\/payment\/status\?id=/)]);

  withNavigator('share', async () => {});
  press(button('Share'));
  await waitFor(() => expect(currentToasts().toasts.map(({ message }) => message)).toContain('Shared.'));
  delete (navigator as { share?: unknown }).share;
});

test('D17 storing an order offline shows a success toast', async () => {
  await openPage('/prepaid-recharge?msisdn=390000001&amount=2000');
  await waitFor(() => expect(button('BUY AIRTIME')).toBeEnabled());
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  press(button('BUY AIRTIME'));
  await told('Your order is kept on this phone.');
});

test('D17 resending a code shows a success toast', async () => {
  const payer = freshLine();
  const { between } = await openPage('/payment/start/airtime', {
    order: orderFor(payer, { emailId: 'client@example.mg' }),
  });
  await waitFor(() => expect(button('Continue')).toBeEnabled());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  press(button('Continue'));
  await waitFor(() => expect(field(/^Code/)).toBeEnabled());
  // The server has a delay of its own, of one minute.
  between('/resend-otp', async (_, ask) => {
    const answer = await ask();
    return answer.ok
      ? answer
      : Response.json({ statusCode: 200, status: 'success', message: 'ok', result: { refId: 'r' } });
  });
  await act(async () => vi.advanceTimersByTime(61_000));
  press(button('Resend'));
  await told('A new code was sent.');
});
