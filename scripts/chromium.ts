import { ensureProgram, findProgram, isExecutable } from './debian.ts';
import { Refusal } from './progress.mjs';

const sentence =
  'The browser tests need Chromium, which is not here: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH to its program.';

/** Renders no toolbars, which saves two fifths of the time. */
const quickest = 'chromium-headless-shell';

/** Path of the Chromium to test with: CHROMIUM_PATH, else the headless shell, else the system's. */
export async function ensureChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given && !isExecutable(given)) throw new Refusal(`CHROMIUM_PATH is "${given}", which is not a program.`);
  if (given) return given;
  const others = findProgram(['chromium', 'chromium-browser', 'google-chrome'], ['/usr/bin']);
  return ensureProgram(quickest, quickest, sentence).catch((error: unknown) => {
    if (!others) throw error;
    return others;
  });
}
