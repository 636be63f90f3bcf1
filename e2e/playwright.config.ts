import { defineConfig } from '@playwright/test';
import { patience } from '../scripts/patience.ts';
import { isEmbedded } from './fixtures/embedded.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Letters and colours are drawn alike on every machine: pictures are compared.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
];

// A spec runs on a phone, as most customers do; where the shape of the page matters it says @desktop, or @both.
export default defineConfig({
  testDir: 'specs',
  outputDir: '../test-results/browser',
  snapshotPathTemplate: '{testDir}/../{arg}{ext}',
  globalSetup: './stack.ts',
  fullyParallel: true,
  // On the embedded database a portal stops while a test looks into it.
  workers: isEmbedded ? 1 : 2,
  forbidOnly: true,
  timeout: patience(180_000),
  expect: { timeout: patience(30_000) },
  reporter: 'list',
  use: {
    baseURL: process.env.PORTAL_URL ?? '',
    // A step that finds nothing ends here, and not with the whole time of its test.
    actionTimeout: patience(60_000),
    navigationTimeout: patience(120_000),
    // A worker between page and portal would hide requests from the specs; the ones about it let it in.
    serviceWorkers: 'block',
    // What turns or breathes while a test waits is drawn sixty times a second, which took a tenth of the run.
    reducedMotion: 'reduce',
    // Recording every step costs a third of the run; ask for it where a failure needs it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell', args: flags },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', grep: /@desktop|@both/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
