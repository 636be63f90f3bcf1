/**
 * Session and local storage that may be full, forbidden or absent (private mode): then nothing is stored, and nothing
 * breaks.
 */
export interface SafeStorage {
  readText(key: string): string | null;
  /** False when nothing could be stored. */
  writeText(key: string, text: string): boolean;
  read<T>(key: string): T | null;
  write(key: string, value: unknown): boolean;
  remove(key: string): void;
  /** All keys with this prefix. */
  forgetWhere(isMeant: (key: string) => boolean): void;
}

export function safeStorage(find: () => Storage): SafeStorage {
  function attempt<T>(run: () => T, otherwise: T): T {
    try {
      return run();
    } catch {
      return otherwise;
    }
  }
  const readText = (key: string) => attempt(() => find().getItem(key), null);
  const writeText = (key: string, text: string) =>
    attempt(() => {
      find().setItem(key, text);
      return true;
    }, false);
  return {
    readText,
    writeText,
    read: <T>(key: string) => attempt(() => JSON.parse(readText(key) ?? 'null') as T | null, null),
    write: (key, value) => writeText(key, JSON.stringify(value)),
    remove: (key) => attempt(() => find().removeItem(key), undefined),
    forgetWhere: (isMeant) =>
      attempt(() => {
        const storage = find();
        const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
        for (const name of names) if (isMeant(name)) storage.removeItem(name);
      }, undefined),
  };
}

export const sessionStore = safeStorage(() => window.sessionStorage);

/** Stays on this device when the tab is closed. */
export const deviceStore = safeStorage(() => window.localStorage);
