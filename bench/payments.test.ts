import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

interface Ratios {
  initiate: number;
  status: number;
  failed: number;
}

async function measured(): Promise<Ratios> {
  const script = join(import.meta.dirname, 'payments.ts');
  const words = [script, '--seconds', '3', '--rounds', '1', '--only', 'postgresql'];
  // It ends with a status of its own when a bar is missed; here the figures count.
  const { stdout } = await run(process.execPath, words).catch((error: { stdout: string }) => error);
  const columns = (name: string) =>
    new RegExp(`^\\| ${name} +\\|(.*)\\|$`, 'm')
      .exec(stdout)?.[1]
      ?.split('|')
      .map((cell) => Number(cell)) ?? [];
  const [initiate, status] = [columns('initiate'), columns('status')];
  return { initiate: initiate[2] ?? 0, status: status[2] ?? 0, failed: (initiate[6] ?? 1) + (status[6] ?? 1) };
}

// The bars are half and a fifth, and `npm run bench:payments` holds them on a machine that does nothing else. Here a third
// and an eighth in the best of four short runs: enough to notice a round trip or a slow header that was added.
test('PRF-3 (quick form: 0.34 and 0.13 of pgbench in the best of four; 0.5 and 0.2 by npm run bench:payments) initiating a payment and looking up a status', async () => {
  let best: Ratios = { initiate: 0, status: 0, failed: 0 };
  for (let attempt = 0; attempt < 4 && (best.initiate < 0.34 || best.status < 0.13); attempt += 1) {
    const { initiate, status, failed } = await measured();
    expect(failed).toBe(0);
    best = { initiate: Math.max(best.initiate, initiate), status: Math.max(best.status, status), failed };
  }
  expect(best.initiate).toBeGreaterThan(0.34);
  expect(best.status).toBeGreaterThan(0.13);
});
