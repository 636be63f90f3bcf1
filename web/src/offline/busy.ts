import { paths } from '@portal/domain/paths.ts';
import { useEffect, useState } from 'react';
import { isPaying } from './busy-rules.ts';
import { orderingLock, payingLock } from './worker-scope.ts';

const typed = 'form[method="post"] :is(input:not([type=hidden], [type=radio], [type=checkbox]), textarea)';

function hasTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed);
  return [...fields].some((field) => field.value !== '');
}

/** Whether a form on the page holds unsaved input. */
export function useBusyForm(path: string): boolean {
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    // Another path is another screen with other forms.
    const look = () => setBusy(path !== '' && hasTyped());
    look();
    document.addEventListener('input', look);
    document.addEventListener('focusout', look);
    return () => {
      document.removeEventListener('input', look);
      document.removeEventListener('focusout', look);
    };
  }, [path]);
  return isBusy;
}

/** Tells every tab and the worker that somebody is paying here. */
export function usePayingLock(path: string): void {
  useLock(payingLock, isPaying(path));
  useLock(orderingLock, path.startsWith(paths.paymentStart));
}

function useLock(name: string, isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks?.request(name, { mode: 'shared' }, () => until).catch(() => {});
    return release;
  }, [name, isHeld]);
}
