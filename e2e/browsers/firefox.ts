import puppeteer from 'puppeteer-core';
import { ensureProgram } from '../../scripts/debian.ts';
import type { Driver } from './visitor.ts';

const sentence =
  'The tests in Firefox need it, and it is not here: install it (Debian: apt-get install firefox-esr) or put firefox-esr on the path.';

/** Firefox by its own protocol, WebDriver BiDi. */
export async function openFirefox(): Promise<Driver> {
  const executablePath = await ensureProgram('firefox-esr', 'firefox-esr', sentence);
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 740 });
  return {
    open: async (address) => {
      await page.goto(address);
    },
    address: async () => page.url(),
    async find(source, kind, name) {
      const found = await page.evaluateHandle(`(${source})(${JSON.stringify(kind)}, ${JSON.stringify(name)})`);
      return found.asElement() as Awaited<ReturnType<typeof page.$>>;
    },
    close: () => browser.close(),
  };
}
