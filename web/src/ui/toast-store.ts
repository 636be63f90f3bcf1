export interface Toast {
  kind: 'error' | 'success';
  heading: string;
  message: string;
  seconds: 3 | 10;
}

export interface ShownToast extends Toast {
  id: number;
}

export interface ToastState {
  toasts: readonly ShownToast[];
  /**
   * The page's own first, then those of dialogs by age. Only the last one shows, because everything below a modal
   * dialog is inert.
   */
  regions: readonly string[];
}

export const noToasts: ToastState = { toasts: [], regions: [] };

let state = noToasts;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Partial<ToastState>) {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const currentToasts = () => state;

export function onToasts(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** A toast with the same text replaces the older one. */
export function showToast(toast: Toast): number {
  const others = state.toasts.filter(({ heading, message }) => heading !== toast.heading || message !== toast.message);
  change({ toasts: [...others, { ...toast, id: ++lastId }] });
  return lastId;
}

export function dismissToast(id: number) {
  change({ toasts: state.toasts.filter((toast) => toast.id !== id) });
}

/** The page's own may be mounted after a dialog was opened, because its script is lazy. */
export function enterRegion(region: string, isPage = false) {
  change({ regions: isPage ? [region, ...state.regions] : [...state.regions, region] });
  return () => change({ regions: state.regions.filter((other) => other !== region) });
}
