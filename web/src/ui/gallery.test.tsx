import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { button, field, fill, press, says } from '../testing/look.fixture.ts';
import { UiGallery } from './gallery.tsx';
import { ToastRegion } from './toast.tsx';

function openGallery() {
  render(
    <>
      <UiGallery />
      <ToastRegion closeLabel="Close" isPage />
    </>,
  );
  return userEvent.setup({ pointerEventsCheck: 0 });
}

const outputOf = (id: string) => document.getElementById(id)?.textContent;

test('the component page shows every component', () => {
  openGallery();
  for (const title of [
    'Button',
    'Number field',
    'Amount field',
    'Combobox',
    'Digit boxes',
    'Dialog',
    'Toast',
    'Notice',
  ])
    expect(says(title), title).toBe(true);
});

describe('the toast', () => {
  const region = (kind: 'polite' | 'assertive') =>
    [...document.querySelectorAll(`[aria-live=${kind}]`)].filter((one) => one.textContent !== '' && !one.id);
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

  test('APP-7 shows its kind and message, is announced, and disappears after 3 s', async () => {
    vi.useFakeTimers();
    openGallery();
    press(button('Success toast'));
    expect(region('polite').map(({ textContent }) => textContent)).toEqual(['SuccessCode sent.']);
    await pass(2_900);
    expect(says('Code sent.')).toBe(true);
    await pass(200);
    expect(says('Code sent.')).toBe(false);
  });

  test('APP-7 an error interrupts, stays 10 s, and can be closed', async () => {
    const text = 'The line could not be reached.';
    vi.useFakeTimers();
    openGallery();
    press(button('Error toast'));
    expect(region('assertive').map(({ textContent }) => textContent)).toEqual([`Error${text}`]);
    await pass(9_900);
    expect(says(text)).toBe(true);
    await pass(200);
    expect(says(text)).toBe(false);
    press(button('Error toast'));
    expect(says(text)).toBe(true);
    const [toast] = region('assertive');
    press(button('Close', toast));
    expect(says(text)).toBe(false);
  });
});

describe('the dropdown', () => {
  const box = () => field('Town to search');
  const options = () => [...document.querySelectorAll('[role=listbox] [role=option]')].map((one) => one.textContent);

  test('APP-8 filters in any case, says No match, and a choice clears the search', async () => {
    const user = openGallery();
    await user.click(box());
    expect(options()).toHaveLength(10);
    fill(box(), 'ANTS');
    expect(options()).toEqual(['Antsirabe', 'Antsiranana', 'Fianarantsoa']);
    fill(box(), 'zzz');
    expect(options()).toEqual(['No match']);
    fill(box(), 'toli');
    await user.click(document.querySelector('[role=option]') as Element);
    expect(document.querySelector('[role=listbox]')).toBeNull();
    expect(box()).toHaveValue('Toliara');
    await user.click(box());
    expect(options()).toHaveLength(10);
  });

  test('APP-8 closes on a click outside, keeping the choice', async () => {
    const user = openGallery();
    await user.click(box());
    fill(box(), 'maha');
    expect(options()).toEqual(['Mahajanga']);
    await user.click(document.querySelector('h1') as Element);
    expect(document.querySelector('[role=listbox]')).toBeNull();
    expect(box()).toHaveValue('');
  });

  test('APP-8 works by keyboard alone', async () => {
    const user = openGallery();
    act(() => box().focus());
    await user.keyboard('{ArrowDown}');
    expect(options()).toHaveLength(10);
    expect(box()).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{End}{Enter}');
    expect(box()).toHaveValue('Toliara');
    await user.keyboard('{ArrowUp}{Escape}');
    expect(document.querySelector('[role=listbox]')).toBeNull();
    expect(box()).toHaveValue('Toliara');
    expect(box()).toHaveFocus();
  });
});

describe('the digit boxes', () => {
  const code = () => field('Code');

  test('accept six digits only, report the last one once, and delete one by one', async () => {
    const user = openGallery();
    expect(code()).toHaveAttribute('autocomplete', 'one-time-code');
    await user.type(code(), '12a34');
    expect(code()).toHaveValue('1234');
    await user.keyboard('{Backspace}');
    expect(code()).toHaveValue('123');
    await user.type(code(), '4567');
    expect(code()).toHaveValue('123456');
    expect(outputOf('code-completed')).toBe('123456');
  });

  test('that are full refuse another digit, and a selected one is replaced', async () => {
    const user = openGallery();
    await user.type(code(), '123456');
    await user.type(code(), '9', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(code()).toHaveValue('123456');
    await user.type(code(), '9', { initialSelectionStart: 2, initialSelectionEnd: 3 });
    expect(code()).toHaveValue('129456');
  });

  test('a pasted code fills them all', async () => {
    const user = openGallery();
    await user.click(code());
    await user.paste('Code: 654 321');
    expect(code()).toHaveValue('654321');
    expect(outputOf('code-completed')).toBe('654321');
  });
});

describe('the number field', () => {
  const number = () => field('Mobile number');

  test('keeps the caret at its position', async () => {
    const user = openGallery();
    await user.type(number(), '390000001');
    expect(number()).toHaveValue('39 00 000 01');
    number().setSelectionRange(5, 5);
    await user.keyboard('{Backspace}');
    expect(number()).toHaveValue('39 00 000 1');
    expect(number().selectionStart).toBe(4);
    await user.keyboard('7');
    expect(number()).toHaveValue('39 07 000 01');
    expect(number().selectionStart).toBe(5);
  });

  test('that is full refuses a digit that would push out its last one', async () => {
    const user = openGallery();
    await user.type(number(), '390000001');
    await user.type(number(), '39', { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(number()).toHaveValue('39 00 000 01');
    await user.type(number(), '4', { initialSelectionStart: 1, initialSelectionEnd: 2 });
    expect(number()).toHaveValue('34 00 000 01');
  });

  test('a number that nobody typed is selected on entering by Tab or tap, a typed one is not', async () => {
    const user = openGallery();
    const filled = field('Mobile number, wrong');
    await user.click(filled);
    await user.keyboard('39');
    expect(filled).toHaveValue('39');
    await user.click(number());
    await user.click(filled);
    await user.keyboard('1');
    expect(filled).toHaveValue('39 1');
  });

  test('deletes the digit behind a separator, and accepts the same number pasted over itself', async () => {
    const user = openGallery();
    await user.type(number(), '391234567');
    number().setSelectionRange(3, 3);
    await user.keyboard('{Backspace}');
    expect(number()).toHaveValue('31 23 456 7');
    fill(number(), '391234567');
    expect(number()).toHaveValue('39 12 345 67');
    number().select();
    await user.paste('391234567');
    expect(number()).toHaveValue('39 12 345 67');
  });
});

test('a busy button ignores clicks', () => {
  openGallery();
  press(button('Primary'));
  press(button(/Busy/));
  expect(outputOf('presses')).toBe('1');
});
