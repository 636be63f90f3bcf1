import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadPack } from '../../operators/load-pack.ts';
import { fillFolder, setDatabaseClock } from '../../server/src/testing/database.ts';
import { undoOnSignal } from '../end-with-us.ts';
import { patience } from '../patience.ts';
import { type Service, startService } from '../service.ts';
import { serverEnvironment, setCallbackBase, startSandbox } from '../stack.ts';
import type { Customers } from './customers.ts';

export interface Site {
  /** Holds the data and the logs of all processes. */
  folder: string;
  sandboxUrl: string;
  walletMode: string;
  startPortal(
    port: number,
    settings?: { env?: NodeJS.ProcessEnv; imports?: string[]; onSpawn?: (pid: number) => void },
  ): Promise<Service>;
  /** Where providers send their callbacks. */
  callBackTo(url: string): Promise<void>;
  /** Moves the clocks of the database and of the portals. */
  setClock(aheadMs: number, portals: Service[]): Promise<void>;
  fault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** `keepFolder` keeps the logs after a failure. */
  stop(options?: { keepFolder?: boolean }): Promise<void>;
}

const clock = new URL('./clock.mjs', import.meta.url).href;

/** A sandbox with quick approvals, and functions to start real portal processes against it. */
export async function startSite(
  options: { databaseUrl?: string; approveAfterMs?: number; operator?: string } = {},
): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-reliability-'));
  const cancelUndo = undoOnSignal(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  if (!options.databaseUrl) await fillFolder(dataDir);
  const log = join(folder, 'log');
  const onLog = (line: string) => appendFileSync(log, `${line}\n`);
  const { approveAfterMs = 300, operator = 'mg' } = options;
  const env = { OPERATOR: operator };
  const sandbox = await startSandbox({ approveAfterMs, promptExpiryMs: approveAfterMs + 2_000, env, onLog });
  const sandboxUrl = sandbox.ready.http ?? '';
  const { methods } = await loadPack(operator);
  return {
    folder,
    sandboxUrl,
    walletMode: methods.find(({ type }) => type === 'AM')?.mode ?? '',
    startPortal(port, { env = {}, imports = [], onSpawn } = {}) {
      const settings = {
        DATABASE_URL: options.databaseUrl ?? '',
        PUBLIC_URL: `http://localhost:${port}`,
        RATE_LIMIT_SCALE: '100000',
        SIM_SWAP_LIMIT_MS: '600000',
        LOG_LEVEL: 'warn',
        NODE_ENV: 'test',
        OPERATOR: operator,
        ...env,
      };
      const environment = serverEnvironment({ port, dataDir, env: settings }, sandbox);
      return startService('The portal', 'server/src/main.ts', environment, onLog, {
        imports: [clock, ...imports],
        ...(onSpawn ? { onSpawn } : {}),
      });
    },
    callBackTo: (url) => setCallbackBase(sandbox, url),
    async setClock(aheadMs, portals) {
      if (options.databaseUrl) await setDatabaseClock(options.databaseUrl, aheadMs);
      for (const portal of portals) portal.send({ clockAheadMs: aheadMs });
    },
    async fault(fault) {
      await fetch(`${sandboxUrl}/sandbox/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
    },
    async clearFaults() {
      await fetch(`${sandboxUrl}/sandbox/api/faults`, { method: 'DELETE' });
    },
    async stop({ keepFolder = false } = {}) {
      await sandbox.stop();
      cancelUndo();
      if (!keepFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Provider faults while processes are killed; none may cost anybody money. */
export const troubles = [
  { provider: 'wallet', fault: 'loseAnswer', rate: 0.05 },
  { provider: 'wallet', fault: 'lateCallback', rate: 0.15, delayMs: 2_000 },
  { provider: 'wallet', fault: 'duplicateCallback', rate: 0.2 },
  { provider: 'mpesa', fault: 'lateCallback', rate: 0.15, delayMs: 2_000 },
  { provider: 'mpesa', fault: 'contradictoryCallbacks', rate: 0.1 },
  { provider: 'mpesa', fault: 'error500', rate: 0.03 },
  { provider: 'charging', fault: 'loseAnswer', rate: 0.1 },
] as const;

const minute = 60;
/** In seconds: past the lease of an interrupted call, past an order's expiry, past the day that proves "not found". */
const leaps = [90, 90, 90, 120, 11 * minute, 20 * minute, 20 * minute, 24 * 60 * minute];
/** Extra leaps, because a busy machine may have missed a response. */
const moreLeaps = Array<number>(10).fill(70 * minute);
/**
 * An order that no customer knows of, stored before the database was started again, is asked about for a day and six answers;
 * a busy machine may miss some of them, and nobody here sees that it is open.
 */
const allIsOver = 34 * 60 * minute;

/** Moves the portals' clocks ahead until no payment known to customers is open; returns how many still are. */
export async function passTime(site: Site, portals: () => Service[], customers: Customers): Promise<number> {
  let ahead = 0;
  let open = await settle(customers, 0);
  for (const leap of [...leaps, ...moreLeaps]) {
    if (open === 0 && ahead > allIsOver) break;
    ahead += leap;
    await site.setClock(ahead * 1000, portals());
    open = await settle(customers, leap > 10 * minute ? customers.payments.size : open);
  }
  // On a slow machine, enquiries missed during one leap are made after the next.
  for (const end = Date.now() + patience(60_000); open > 0 && Date.now() < end; ) {
    ahead += 60 * minute;
    await site.setClock(ahead * 1000, portals());
    open = await settle(customers, open);
  }
  return open;
}

/** A sweep handles fifty payments a second; after a long leap it also re-checks failed ones. */
async function settle(customers: Customers, due: number): Promise<number> {
  // At least one sweep: payments unknown to customers are enquired about too.
  const swept = Date.now() + 1_400;
  const until = swept + (due / 50) * 1_300;
  for (;;) {
    const open = await customers.askAll();
    if (Date.now() >= (open > 0 ? until : swept)) return open;
    await sleep(300);
  }
}
