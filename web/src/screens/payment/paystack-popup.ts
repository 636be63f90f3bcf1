import { callPath } from '@portal/contract/calls.ts';
import type { ResultOf } from '@portal/contract/contract.ts';

export type PopupData = NonNullable<ResultOf<'process'>['popup']>;
export type PopupEnd = 'success' | 'cancelled' | 'failed';

interface PopupCallbacks {
  onSuccess: () => void;
  onCancel: () => void;
  onError: () => void;
}

interface PaystackPop {
  resumeTransaction(accessCode: string, options: PopupCallbacks & Record<string, unknown>): void;
}

declare global {
  interface Window {
    PaystackPop?: new () => PaystackPop;
  }
}

/** The server enquires at the gateway and redirects to the status page; our parameters are only a hint. */
export function callbackAddress(transactionId: string, { reference }: PopupData, status: PopupEnd): string {
  return `${callPath('paystackCallback')}?${new URLSearchParams({ txref: reference, PnrID: transactionId, status })}`;
}

/** The access code stands for an amount fixed by the server; the other values only repeat it for the popup. */
export function popupOptions({ key, amount, currency, channels, reference }: PopupData, end: (how: PopupEnd) => void) {
  return {
    key,
    amount,
    currency,
    channels,
    reference,
    onSuccess: () => end('success'),
    onCancel: () => end('cancelled'),
    onError: () => end('failed'),
  };
}

const loadWithinMs = 20_000;

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const timer = setTimeout(() => reject(new Error('the popup did not load in time')), loadWithinMs);
    script.src = address;
    script.async = true;
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    script.onerror = () => {
      clearTimeout(timer);
      reject(new Error('the popup could not be loaded'));
    };
    document.head.append(script);
  });
}

/** Resolves when the popup is open; rejects when the gateway's script cannot be loaded. */
export async function openPopup(data: PopupData, end: (how: PopupEnd) => void): Promise<void> {
  if (!window.PaystackPop) await loadScript(data.scriptUrl);
  if (!window.PaystackPop) throw new Error('the popup is not what was loaded');
  new window.PaystackPop().resumeTransaction(data.accessCode, popupOptions(data, end));
}
