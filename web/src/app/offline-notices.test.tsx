import { fireEvent, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { button, field, fill, link, main, press, says, seen } from '../testing/look.fixture.ts';
import { freshLine, orderFor } from '../testing/orders.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';

function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  fireEvent(window, new Event(isOnline ? 'online' : 'offline'));
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** A wallet whose phone shows the request but never answers it. */
const neverAnswers = '390000008';
const offline = /^You are offline\./;
const kept = /What you typed is kept\./;
const unseenAnswer = /this page cannot see the answer/;
const mayBeOld = /what it shows may be old/;

test('APP-14 offline is told in the dialog that waits for approval, and on the status page that may be old', async () => {
  await openPage('/payment/start/fanilo-money', { order: orderFor(neverAnswers, { amount: 1_500 }) });
  await waitFor(() => press(button(/^Pay /)));
  await seen('Processing');
  expect(says(unseenAnswer)).toBe(false);
  setOnline(false);
  const dialog = document.querySelector<HTMLElement>('dialog[open]') as HTMLElement;
  await seen(unseenAnswer, dialog);
  setOnline(true);
  await waitFor(() => expect(says(unseenAnswer)).toBe(false));

  press(link(/leave this page/));
  await seen('In Processing');
  expect(says(mayBeOld)).toBe(false);
  setOnline(false);
  await seen(mayBeOld, main());
  setOnline(true);
  await waitFor(() => expect(says(mayBeOld)).toBe(false));
});

test('APP-14 a status page that was opened offline says that nothing could be asked, and asks when it is back', async () => {
  await openPage('/payment/start/fanilo-money', { order: orderFor(neverAnswers, { amount: 1_600 }) });
  await waitFor(() => press(button(/^Pay /)));
  await seen('Processing');
  setOnline(false);
  press(link(/leave this page/));
  await seen('We could not ask just now');
  setOnline(true);
  await seen('In Processing');
});

test('APP-14 the offline notice says that what was typed is kept only where something was typed', async () => {
  await openPage('/prepaid-recharge');
  setOnline(false);
  await seen(offline);
  expect(says(kept)).toBe(false);
  fill(field('Mobile number'), freshLine());
  await seen(kept);
  fill(field('Mobile number'), '');
  await waitFor(() => expect(says(kept)).toBe(false));
});
