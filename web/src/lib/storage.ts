/** Session and local storage that may be full, forbidden or absent (private mode): then nothing is kept, and nothing breaks. */
export interface SafeStorage {
  read<T>(key: string): T | null;
  write(key: string, value: unknown): boolean;
  remove(key: string): void;
}

export function safeStorage(find: () => Storage): SafeStorage {
  return {
    read<T>(key: string) {
      try {
        const text = find().getItem(key);
        return text === null ? null : (JSON.parse(text) as T);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        find().setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    remove(key) {
      try {
        find().removeItem(key);
      } catch {
        // Nothing was kept, so there is nothing to remove.
      }
    },
  };
}

export const sessionStore = safeStorage(() => window.sessionStorage);
