import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type IconName, iconNames } from '../operators/icons.ts';
import { loadPack } from '../operators/load-pack.ts';
import { ensureChromium } from './chromium.ts';
import { endWith } from './progress.mjs';
import { root } from './source-files.ts';

const run = promisify(execFile);
const flame = 'M16 4c1 5 7 7 7 14a7 7 0 0 1-14 0c0-4 3-5 3-9 2 1 3 3 3 5 1-3 1-6 1-10z';

/** Round corners where the icon is shown as it is; the whole square, with room to cut, where a phone cuts its own shape. */
function drawing(name: IconName, { night = '#1d1b3a', 'flame-bright': bright = '#ff8a4c' }: Record<string, string>) {
  const isCut = !name.startsWith('icon');
  const scale = isCut ? 0.72 : 1;
  const move = 16 - 16 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="100%" height="100%"><rect width="32" height="32" rx="${isCut ? 0 : 8}" fill="${night}"/><path transform="translate(${move} ${move}) scale(${scale})" d="${flame}" fill="${bright}"/></svg>`;
}

/** Writes the icons of every pack, in its own colours: `node scripts/icons.ts`. */
async function drawIcons(): Promise<void> {
  const chromium = await ensureChromium();
  const work = await mkdtemp(join(tmpdir(), 'portal-icons-'));
  const entries = await readdir(join(root, 'operators'), { withFileTypes: true });
  for (const { name: code } of entries.filter((entry) => entry.isDirectory() && /^[a-z]{2}$/.test(entry.name))) {
    const { brand } = await loadPack(code);
    const folder = join(root, 'operators', code, 'icons');
    await mkdir(folder, { recursive: true });
    for (const name of iconNames) {
      const side = Number(/\d+$/.exec(name)?.[0]);
      const page = join(work, `${code}-${name}.html`);
      await writeFile(page, `<style>body{margin:0}svg{display:block}</style>${drawing(name, brand.tokens)}`);
      await run(chromium, [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        '--default-background-color=00000000',
        `--window-size=${side},${side}`,
        `--screenshot=${join(folder, `${name}.png`)}`,
        `file://${page}`,
      ]);
    }
  }
  await rm(work, { recursive: true, force: true });
}

await drawIcons().catch(endWith);
