import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Drawn by `scripts/icons.ts` from the brand's colours. */
export const iconNames = ['icon-192', 'icon-512', 'maskable-512', 'apple-180'] as const;
export type IconName = (typeof iconNames)[number];

const iconOf = (pack: string, name: IconName) => new URL(`./${pack}/icons/${name}.png`, import.meta.url);

/** A pack that has not drawn its own yet borrows those of the default one. */
export function readIcon(pack: string, name: IconName): Promise<Buffer> {
  const own = iconOf(pack, name);
  return readFile(existsSync(own) ? own : iconOf('mg', name));
}
