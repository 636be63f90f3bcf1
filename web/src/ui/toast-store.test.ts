import { expect, test } from 'vitest';
import { currentToasts, dismissToast, enterRegion, onToasts, showToast } from './toast-store.ts';

const toast = { kind: 'error', heading: 'Error', message: 'First', seconds: 3 } as const;

test('listeners hear of toasts until they leave', () => {
  let heard = 0;
  const leave = onToasts(() => heard++);
  const id = showToast(toast);
  dismissToast(id);
  leave();
  dismissToast(showToast(toast));
  expect(heard).toBe(2);
  expect(currentToasts().toasts).toEqual([]);
});

test('the same words replace the older toast, other words are added', () => {
  const first = showToast(toast);
  const second = showToast(toast);
  const third = showToast({ ...toast, message: 'Second' });
  expect(second).not.toBe(first);
  expect(currentToasts().toasts.map(({ id }) => id)).toEqual([second, third]);
  dismissToast(second);
  dismissToast(third);
});

test('regions leave in any order', () => {
  const leavePage = enterRegion('page');
  const leaveDialog = enterRegion('dialog');
  expect(currentToasts().regions.at(-1)).toBe('dialog');
  leaveDialog();
  expect(currentToasts().regions.at(-1)).toBe('page');
  leavePage();
  expect(currentToasts().regions).toEqual([]);
});
