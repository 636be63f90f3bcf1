import { deviceKeys } from '../../lib/device-keys.ts';
import { deviceStore } from '../../lib/storage.ts';

type Page = 'stores' | 'coverage';
type Places = Partial<Record<Page, string>>;

/** The last search, to be shown again offline. A shared phone stores nothing. */
export const lastPlace = {
  read: (page: Page): string => deviceStore.read<Places>(deviceKeys.lastPlace)?.[page] ?? '',
  write(page: Page, text: string): void {
    if (text === '' || deviceStore.readText(deviceKeys.shared) !== null) return;
    deviceStore.write(deviceKeys.lastPlace, { ...deviceStore.read<Places>(deviceKeys.lastPlace), [page]: text });
  },
};
