import { useEffect } from 'react';

/** The dialog that Back closes: the last one that may be closed at all. */
const closable = (): Element | undefined =>
  [...document.querySelectorAll('dialog[open][closedby="closerequest"]')].at(-1);
const hasEntry = (): boolean => Boolean(window.history.state?.isDialog);

/**
 * While a dialog is open there is a history entry for it, so that Back closes the dialog and leaves the form behind it
 * as it was. A dialog that follows another at once takes over its entry. Android's own Back closes a dialog without
 * one; its entry is removed like that of any other that was closed.
 */
function keepDialogEntry(): () => void {
  let isRemoving = false;

  function settle() {
    const isOpen = closable() !== undefined;
    if (isRemoving || isOpen === hasEntry()) return;
    if (isOpen) return window.history.pushState({ ...window.history.state, isDialog: true }, '');
    isRemoving = true;
    window.history.back();
  }
  function onBack() {
    if (isRemoving) isRemoving = false;
    else if (!hasEntry()) closable()?.dispatchEvent(new Event('cancel', { cancelable: true }));
    settle();
  }

  const opened = new MutationObserver(settle);
  opened.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
  window.addEventListener('popstate', onBack);
  settle();
  return () => {
    opened.disconnect();
    window.removeEventListener('popstate', onBack);
  };
}

export function DialogHistory(): null {
  useEffect(keepDialogEntry, []);
  return null;
}
