import { canInstall, findProgram, installPackage, isExecutable } from './debian.ts';
import { Refusal } from './progress.mjs';

const sentence =
  'The browser tests need Chromium, which is not here: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its program.';

/** The program of a Chromium to test with: CHROMIUM_PATH, the system's, or one installed now where we may. */
export async function ensureChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given && !isExecutable(given)) throw new Refusal(`CHROMIUM_PATH is "${given}", which is not a program.`);
  const found = given || systemChromium();
  if (found) return found;
  if (canInstall()) await installPackage('chromium', sentence);
  const installed = systemChromium();
  if (!installed) throw new Refusal(sentence);
  return installed;
}

const systemChromium = () => findProgram(['chromium', 'chromium-browser', 'google-chrome'], ['/usr/bin']);
