import { defineConfig } from '@playwright/test';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

// A spec that fits one shape only carries the tag @phone or @desktop; every other one runs in both.
export default defineConfig({
  testDir: 'specs',
  outputDir: '../test-results/browser',
  globalSetup: './stack.ts',
  fullyParallel: true,
  workers: 2,
  // One that passes only when tried again is named by the check, and is a fault to be found.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  reporter: 'list',
  use: {
    baseURL: process.env.PORTAL_URL ?? '',
    // A worker between page and portal would hide requests from the specs; the ones about it let it in.
    serviceWorkers: 'block',
    // Recording every step costs a third of the run; ask for it where a failure needs it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
