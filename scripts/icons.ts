import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { iconDrawing, iconNames } from '../operators/icons.ts';
import { loadPack } from '../operators/load-pack.ts';
import { ensureChromium } from './chromium.ts';
import { endWith } from './progress.mjs';
import { root } from './source-files.ts';

const run = promisify(execFile);
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
      await writeFile(
        page,
        `<style>body{margin:0}svg{display:block}</style>${iconDrawing(brand, !name.startsWith('icon'))}`,
      );
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
