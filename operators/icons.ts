import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { PublicPack } from '@portal/domain/operator.ts';

/** Drawn by `scripts/icons.ts` in the brand's colours. */
export const iconNames = ['icon-192', 'icon-512', 'maskable-512', 'apple-180'] as const;
export type IconName = (typeof iconNames)[number];

const iconOf = (pack: string, name: IconName) => new URL(`./${pack}/icons/${name}.png`, import.meta.url);

const flame = 'M16 4c1 5 7 7 7 14a7 7 0 0 1-14 0c0-4 3-5 3-9 2 1 3 3 3 5 1-3 1-6 1-10z';

/**
 * The brand's mark in its colours: the pack's own, or the flame. Rounded corners by default; a full square with
 * padding for maskable icons, which phones crop.
 */
export function iconDrawing({ mark, tokens }: Pick<PublicPack['brand'], 'mark' | 'tokens'>, isCut = false): string {
  const { night = '#1d1b3a', 'flame-bright': bright = '#ff8a4c' } = tokens;
  const scale = isCut ? 0.72 : 1;
  const move = 16 - 16 * scale;
  const sign = mark
    ? `<path transform="translate(4 4)" d="${mark}" fill="none" stroke="${bright}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/>`
    : `<path d="${flame}" fill="${bright}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="100%" height="100%"><rect width="32" height="32" rx="${isCut ? 0 : 8}" fill="${night}"/><g transform="translate(${move} ${move}) scale(${scale})">${sign}</g></svg>`;
}

/** A pack without icons uses those of the default pack. */
export function readIcon(pack: string, name: IconName): Promise<Buffer> {
  const own = iconOf(pack, name);
  return readFile(existsSync(own) ? own : iconOf('mg', name));
}
