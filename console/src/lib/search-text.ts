import { useSyncExternalStore } from 'react';

/** The search text, kept in this tab's memory only: a number must not be in a URL, history or log. */
let text = '';
/** A text whose only hit was opened already: going back to it shows the hit in the list. */
let opened: string | null = null;
const listeners = new Set<() => void>();

export function lookFor(wanted: string): void {
  text = wanted.trim();
  opened = null;
  for (const heard of listeners) heard();
}

function listen(heard: () => void): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

export const useSearchText = (): string => useSyncExternalStore(listen, () => text);

/** True once for each search, so that Back from the only hit leads to its list. */
export function mayOpenHit(): boolean {
  if (opened === text) return false;
  opened = text;
  return true;
}
