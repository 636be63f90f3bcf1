import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, inject, vi } from 'vitest';
import { currentToasts, dismissToast } from '../ui/toast-store.ts';

const { waitMs } = inject('portal');

// Visibility is tested only where a test needs it: computing it for every element takes most of the time.
configure({
  asyncUtilTimeout: waitMs,
  defaultHidden: true,
  getElementError: (message) => new Error(`${message} in: ${document.body.textContent?.slice(0, 3_000)}`),
});

// Functions that need layout, which jsdom lacks.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList;
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};

afterEach(() => {
  cleanup();
  // Toasts outlive their page, and the tests of a file share the module.
  for (const { id } of currentToasts().toasts) dismissToast(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  document.body.replaceChildren();
  // biome-ignore lint/suspicious/noDocumentCookie: as the page itself sets it
  document.cookie = 'selectedLanguage=; Path=/; Max-Age=0';
  delete document.documentElement.dataset.hydrated;
});
