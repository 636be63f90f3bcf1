import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../../scripts/free-port.ts';
import { type Stack, startStack } from '../../scripts/stack.ts';
import { fillFolder } from '../../server/src/testing/database.ts';
import { paths } from '../fixtures/portal.ts';

let stack: Stack;
let dataDir: string;
// Node warns on stderr if both FORCE_COLOR and NO_COLOR are set.
const quiet = { DATABASE_URL: '', LOG_LEVEL: 'error', NODE_ENV: 'test', NO_COLOR: undefined };

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'portal-start-'));
  // Creating a database takes longest, so prepare it.
  await fillFolder(dataDir);
  stack = await startStack({ port: await freePort(), dataDir, env: quiet });
});
test.afterAll(async () => {
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a second portal on the same port fails with one sentence, and the first keeps running @desktop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-start-'));
  await fillFolder(folder);
  const port = Number(new URL(stack.url).port);
  const other = { SANDBOX_URL: stack.sandboxUrl ?? '', SMPP_URL: 'smpp://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1' };
  const second = startStack({ port, dataDir: folder, sandbox: false, env: { ...quiet, ...other } });
  await expect(second).rejects.toThrow(new RegExp(`^Port ${port} is already in use\\. Choose another with PORT\\.$`));
  rmSync(folder, { recursive: true, force: true });
  expect((await fetch(`${stack.url}/readyz`)).status).toBe(200);
});

test('on SIGTERM the portal answers open requests before it exits @desktop', async () => {
  const held = { provider: 'charging', fault: 'timeout', delayMs: 2_000 };
  const json = { 'content-type': 'application/json' };
  await fetch(`${stack.url}/sandbox/api/faults`, { method: 'POST', headers: json, body: JSON.stringify(held) });
  const asked = fetch(stack.url + paths.lineType, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ msisdn: '0391234567' }),
  });
  // In flight: the answer waits for the charging system, which holds its own back.
  const early = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 500, 'still open'))]);
  expect(early).toBe('still open');
  const stopped = stack.stop();
  const answer = await asked;
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ statusCode: 'UPSTREAM_TIMEOUT', status: 'failure' });
  await stopped;
  await expect(fetch(`${stack.url}/healthz`)).rejects.toThrow();
});
