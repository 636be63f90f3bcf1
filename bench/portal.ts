import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { ensureChromium } from '../scripts/chromium.ts';
import { freePort } from '../scripts/free-port.ts';
import { type Stack, startStack } from '../scripts/stack.ts';

export interface MeasuredPortal {
  stack: Stack;
  /** A temporary folder for the measurement, deleted at its end. */
  folder: string;
  close(): Promise<void>;
}

/** A portal and its providers for one measurement, by default on the embedded database. */
export async function openPortal(
  options: Partial<
    Pick<Parameters<typeof startStack>[0], 'databaseUrl' | 'approveAfterMs' | 'promptExpiryMs' | 'env'>
  > = {},
): Promise<MeasuredPortal> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const stack = await startStack({
    port: await freePort(),
    dataDir: folder,
    ...options,
    env: {
      RATE_LIMIT_SCALE: '1000000',
      SIM_SWAP_LIMIT_MS: '600000',
      LOG_LEVEL: 'warn',
      ...(options.databaseUrl ? {} : { DATABASE_URL: '' }),
      ...options.env,
    },
  });
  return {
    stack,
    folder,
    async close() {
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
