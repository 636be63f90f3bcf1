import * as errorCodes from '@portal/contract/error-codes.ts';
import { act, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { button, field, fill, leave, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine } from '../../testing/orders.fixture.ts';
import { openPage, refusal } from '../../testing/page.fixture.tsx';

const path = '/prepaid-recharge';
const numberField = () => field('Mobile number');
const amountField = () => field('Amount');
const buyButton = () => button('BUY AIRTIME');
const isPrepaid = () => says('Prepaid line');
const lineCheck = '/line-type';

describe('the fields', () => {
  test('PRE-1 a number pasted in any usual format is reduced to its nine digits', async () => {
    const { user } = await openPage(path);
    for (const text of ['+261 39 00 000 01', '0390000001', '261390000001', '39-00-000-01', 'Ravo: 39 00 000 01']) {
      fill(numberField(), '');
      await user.click(numberField());
      await user.paste(text);
      expect(numberField(), text).toHaveValue('39 00 000 01');
    }
  });

  test('PRE-1 the number accepts at most nine digits after a fixed +261, and the amount digits only', async () => {
    const { user } = await openPage(path);
    expect(says('+261', main())).toBe(true);
    await user.type(numberField(), '3a9b0-0/0 00x01');
    expect(numberField()).toHaveValue('39 00 000 01');
    await user.type(numberField(), '999');
    expect(numberField()).toHaveValue('39 00 000 01');
    fill(numberField(), 'letters only');
    expect(numberField()).toHaveValue('');
    await user.type(amountField(), '1a2b3-4');
    expect(amountField()).toHaveValue('1\u202f234');
  });
});

describe('the line check', () => {
  test('PRE-2 requests nothing before nine digits, and once 300 ms after the last key press', async () => {
    const { sentTo } = await openPage(path, { isClockStopped: true });
    const line = freshLine();
    for (let digits = 1; digits <= 8; digits++) fill(numberField(), line.slice(0, digits));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(sentTo(lineCheck)).toEqual([]);
    fill(numberField(), line);
    await act(() => vi.advanceTimersByTimeAsync(299));
    expect(sentTo(lineCheck)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(sentTo(lineCheck)).toHaveLength(1);
    vi.useRealTimers();
    await seen('Prepaid line');
    expect(sentTo(lineCheck)).toHaveLength(1);
  });

  test('PRE-2 a number corrected within 300 ms is requested once, as corrected', async () => {
    const { sentTo } = await openPage(path, { isClockStopped: true });
    fill(numberField(), '390000009');
    await act(() => vi.advanceTimersByTimeAsync(200));
    fill(numberField(), '39000000');
    fill(numberField(), '390000001');
    await act(() => vi.advanceTimersByTimeAsync(300));
    vi.useRealTimers();
    await seen('Prepaid line');
    expect(sentTo(lineCheck).map(({ body }) => body.msisdn)).toEqual(['0390000001']);
  });

  test('PRE-2 a late response for an older number is ignored', async () => {
    const older = '390000009';
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const { between, sentTo } = await openPage(path);
    between(lineCheck, async ({ body }, ask) => {
      const answer = await ask();
      if (body.msisdn !== `0${older}`) return answer;
      await held;
      late.resolve();
      return answer;
    });
    fill(numberField(), older);
    await waitFor(() => expect(sentTo(lineCheck)).toHaveLength(1));
    fill(numberField(), freshLine());
    await seen('Prepaid line');
    release();
    await act(() => late.promise);
    expect(isPrepaid()).toBe(true);
    expect(says('Invalid Mobile No')).toBe(false);
  });

  test('PRE-3 PREPAID enables buying; POSTPAID and HYBRID keep it disabled and point to the bill page', async () => {
    await openPage(path);
    fill(amountField(), '1000');
    expect(buyButton()).toBeDisabled();
    fill(numberField(), freshLine());
    await waitFor(() => expect(buyButton()).toBeEnabled());
    for (const [number, kind] of [
      ['390000002', 'postpaid'],
      ['390000003', 'hybrid'],
    ] as const) {
      fill(numberField(), number);
      await waitFor(() =>
        expect(link('Pay a bill', main()), number).toHaveAttribute('href', `/postpaid-bill-pay?msisdn=${number}`),
      );
      expect(main().textContent).toContain(`This is a ${kind} line: it is paid by bill.`);
      expect(buyButton(), number).toBeDisabled();
      fill(numberField(), '');
      expect(says('Pay a bill', main())).toBe(false);
    }
    fill(numberField(), '390000003');
    await seen('Pay a bill', main());
    press(link('Pay a bill', main()));
    await seen('Pay a postpaid bill');
    expect(window.location.pathname).toBe('/postpaid-bill-pay');
  });

  test('PRE-3 an unknown number is an Invalid Mobile No', async () => {
    await openPage(path);
    fill(amountField(), '1000');
    for (const number of ['390000009', '340000001']) {
      fill(numberField(), number);
      await seen('Invalid Mobile No');
      expect(numberField(), number).toHaveAttribute('aria-invalid', 'true');
      expect(buyButton(), number).toBeDisabled();
      fill(numberField(), '');
      expect(says('Invalid Mobile No')).toBe(false);
    }
  });

  test('PRE-3 a charging system that does not answer says nothing about the number', async () => {
    const { between } = await openPage(path);
    between(lineCheck, async () => refusal(504, errorCodes.upstreamTimeout));
    fill(amountField(), '1000');
    fill(numberField(), freshLine());
    await seen('in words');
    expect(says('Invalid Mobile No')).toBe(false);
    expect(buyButton()).toBeDisabled();
    between(lineCheck, null);
    press(button('Try again'));
    await seen('Prepaid line');
    expect(buyButton()).toBeEnabled();
  });
});

describe('the amount', () => {
  const whole = 'Please enter a whole amount in the digits 0 to 9, without cents';
  const written = ['12.50', '2000.50', '45 250,4', '1e4', '２０００', '٢٠٠٠', '5 mille'];

  test('is parsed alike typed and pasted: zero cents are whole, others are refused in words', async () => {
    const { user } = await openPage(path);
    fill(numberField(), freshLine());
    await seen('Prepaid line');
    for (const text of ['2,000.00', '2 000', '2.000,00', '2000.00']) {
      await user.clear(amountField());
      await user.paste(text);
      expect(buyButton(), text).toBeEnabled();
      expect(says(whole), text).toBe(false);
    }
    for (const text of written) {
      await user.clear(amountField());
      await user.paste(text);
      expect(amountField(), text).toHaveValue(text);
      expect(says(whole), text).toBe(true);
      expect(buyButton(), text).toBeDisabled();
    }
    await user.clear(amountField());
    await user.type(amountField(), '2000.50');
    expect(amountField()).toHaveValue('2\u202f000.50');
    expect(says(whole)).toBe(true);
    await user.clear(amountField());
    await user.type(amountField(), '2,000');
    expect(says(whole)).toBe(false);
    press(buyButton());
    await seen('MGA 2,000');
    expect(JSON.parse(sessionStorage.getItem('QueryData') ?? '{}')).toMatchObject({ amount: 2_000 });
  });

  test('is grouped while typing, and the caret keeps its position', async () => {
    const { user } = await openPage(path);
    const input = amountField() as HTMLInputElement;
    const seenAs: string[] = [];
    for (const key of '20000') {
      await user.type(input, key);
      seenAs.push(input.value.replaceAll('\u202f', ' '));
    }
    expect(seenAs).toEqual(['2', '20', '200', '2 000', '20 000']);
    expect(input.inputMode).toBe('numeric');
    await user.type(input, '5', { initialSelectionStart: 1, initialSelectionEnd: 1 });
    expect(input).toHaveValue('250\u202f000');
    expect(input.selectionStart).toBe(2);
    // The caret is behind the space: Backspace deletes the digit before it.
    await user.type(input, '{Backspace}', { initialSelectionStart: 4, initialSelectionEnd: 4 });
    expect(input).toHaveValue('25\u202f000');
    expect(input.selectionStart).toBe(2);
    await user.clear(input);
    await user.type(input, '20 000');
    expect(input).toHaveValue('20\u202f000');
    expect(says('Please enter a whole amount in the digits 0 to 9, without cents')).toBe(false);
  });

  test('PRE-4 below the minimum and above the maximum are refused with the limit', async () => {
    await openPage(path);
    fill(numberField(), freshLine());
    await seen('Prepaid line');
    for (const [wrong, words, right] of [
      ['499', 'Minimum amount should be MGA 500', '500'],
      ['500001', 'Maximum amount should be MGA 500,000', '500000'],
    ] as const) {
      fill(amountField(), wrong);
      leave(amountField());
      expect(says(words), wrong).toBe(true);
      expect(buyButton(), wrong).toBeDisabled();
      fill(amountField(), right);
      expect(says(words), right).toBe(false);
      expect(buyButton(), right).toBeEnabled();
    }
  });

  test('PRE-4 the first digits of an amount are not called too small until it is finished', async () => {
    const { user } = await openPage(path);
    const told: string[] = [];
    const note = new MutationObserver(() => told.push(main().textContent ?? ''));
    note.observe(main(), { subtree: true, childList: true, characterData: true });
    await user.type(amountField(), '2000');
    expect(told.filter((text) => text.includes('Minimum amount'))).toEqual([]);
    await user.clear(amountField());
    await user.type(amountField(), '2');
    await seen('Minimum amount should be MGA 500');
    note.disconnect();
  });

  test('PRE-5 BUY AIRTIME is disabled without number, without amount, with an error and for a number that is not prepaid', async () => {
    await openPage(path);
    expect(buyButton()).toBeDisabled();
    fill(numberField(), freshLine());
    await seen('Prepaid line');
    expect(buyButton()).toBeDisabled();
    fill(amountField(), '1000');
    expect(buyButton()).toBeEnabled();
    fill(amountField(), '1');
    expect(buyButton()).toBeDisabled();
    fill(amountField(), '1000');
    expect(buyButton()).toBeEnabled();
    fill(numberField(), '39000');
    expect(buyButton()).toBeDisabled();
    fill(numberField(), '390000002');
    await seen('Pay a bill', main());
    expect(buyButton()).toBeDisabled();
  });

  test('a quick amount fills the amount', async () => {
    await openPage(path);
    fill(numberField(), freshLine());
    await seen('Prepaid line');
    press(field('5,000'));
    expect(amountField()).toHaveValue('5\u202f000');
    expect(buyButton()).toBeEnabled();
  });
});

describe('the network', () => {
  test('APP-14 a slow response shows a progress sign, and leaving the screen aborts the request', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { between, sentTo, given } = await openPage(path);
    between(lineCheck, async (_, ask) => {
      await promise;
      return ask();
    });
    fill(numberField(), freshLine());
    await seen('Checking the number…');
    await waitFor(() => expect(sentTo(lineCheck)).toHaveLength(1));
    expect(given.up).toEqual([]);
    resolve();
    await seen('Prepaid line');

    between(lineCheck, () => new Promise(() => {}));
    fill(numberField(), freshLine());
    await waitFor(() => expect(sentTo(lineCheck)).toHaveLength(2));
    press(link('About us'));
    await seen('About Fanilo', main());
    expect(given.up.filter(({ path: asked }) => asked.endsWith(lineCheck))).toHaveLength(1);
  });
});
