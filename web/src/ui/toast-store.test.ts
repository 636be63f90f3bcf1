import { expect, test } from 'vitest';
import { currentToasts, dismissToast, enterRegion, onToasts, showToast } from './toast-store.ts';

const toast = { kind: 'error', heading: 'Error', message: 'First', seconds: 3 } as const;

test('listeners are notified of toasts until they unsubscribe', () => {
  let heard = 0;
  const leave = onToasts(() => heard++);
  const id = showToast(toast);
  dismissToast(id);
  leave();
  dismissToast(showToast(toast));
  expect(heard).toBe(2);
  expect(currentToasts().toasts).toEqual([]);
});

test('the same text replaces the older toast, another one is added', () => {
  const first = showToast(toast);
  const second = showToast(toast);
  const third = showToast({ ...toast, message: 'Second' });
  expect(second).not.toBe(first);
  expect(currentToasts().toasts.map(({ id }) => id)).toEqual([second, third]);
  dismissToast(second);
  dismissToast(third);
});

test('the page’s own region is below those of dialogs, in any order of registration', () => {
  const leaveDialog = enterRegion('dialog');
  const leavePage = enterRegion('page', true);
  expect(currentToasts().regions).toEqual(['page', 'dialog']);
  leaveDialog();
  leavePage();
});

test('regions leave in any order', () => {
  const leavePage = enterRegion('page', true);
  const leaveDialog = enterRegion('dialog');
  expect(currentToasts().regions.at(-1)).toBe('dialog');
  leaveDialog();
  expect(currentToasts().regions.at(-1)).toBe('page');
  leavePage();
  expect(currentToasts().regions).toEqual([]);
});
