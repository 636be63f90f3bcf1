import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCache, root } from './source-files.ts';

const run = promisify(execFile);
const copied = ['domain', 'contract', 'operators', 'server', 'sandbox', 'scripts', 'package.json', 'tsconfig.json'];

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portal-provider-'));
  for (const name of copied)
    await cp(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|\.data)(\/|$)/.test(path.slice(root.length)),
    });
  // The workspaces are linked by the packages' names, and have to be those of the copy.
  await mkdir(join(copy, 'node_modules', '@portal'), { recursive: true });
  for (const name of ['domain', 'contract', 'operators'])
    await symlink(join(copy, name), join(copy, 'node_modules', '@portal', name));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@portal') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
});
afterAll(() => rm(copy, { recursive: true }));

/** The page's blocks in their order, each with the file that was named last before it. */
async function steps() {
  const page = await readFile(join(root, 'docs/new-provider.md'), 'utf8');
  const pattern = /^`([\w./-]+)`$|^```(ts|diff)\n([\s\S]*?)^```$/gm;
  let file = '';
  return [...page.matchAll(pattern)].flatMap(([, named, kind, text = '']) => {
    if (named) file = named;
    return kind ? [{ file, kind, text }] : [];
  });
}

async function follow({ file, kind, text }: { file: string; kind: string; text: string }) {
  const path = join(copy, file);
  if (kind === 'ts') {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, text);
  }
  const [below = '', ...added] = text.trimEnd().split('\n');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const at = lines.indexOf(below);
  expect(at, `${file} has the line: ${below}`).toBeGreaterThanOrEqual(0);
  lines.splice(at + 1, 0, ...added.map((line) => line.slice(1)));
  return writeFile(path, lines.join('\n'));
}

/** A portal with its sandbox, as tests start them; it pays by the new way and says what became of it. */
const payment = `
import { callPath } from '@portal/contract/calls.ts';
import { startSandbox } from './sandbox/src/sandbox.ts';
import { testPortal } from './server/src/testing/portal.ts';
const sandbox = await startSandbox();
const { portal, stop } = await testPortal(sandbox);
const post = async (name, payload) => {
  const url = callPath(name);
  return (await portal.http.inject({ method: 'POST', url, payload, headers: { 'idempotency-key': 'a-new-provider' } })).json();
};
const order = { amount: 5000, mobileNumber: '0390000001', paymentMobile: '0390000001', transactionType: 'PREPAID_RECHARGE' };
const way = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'EXAMPLE', currencyCode: 'MGA', emailId: 'a@example.mg' };
const begun = await post('initiate', { ...order, ...way });
const id = begun.result?.transactionId;
const processed = await post('process', { transactionId: id, ...order, ...way });
for (let look = 0; look < 40; look += 1) {
  await portal.payments.enquireSoon(id);
  await portal.payments.drain();
  if ((await portal.payments.find(id))?.payment.state === 'SUCCEEDED') break;
  await new Promise((resolve) => setTimeout(resolve, 250));
}
const state = (await portal.payments.find(id))?.payment.state ?? JSON.stringify({ begun, processed });
console.log(state);
await stop();
await sandbox.stop();
`;

test('a provider is added by following its page literally, and takes a payment', async () => {
  const all = await steps();
  expect(all.length).toBeGreaterThan(10);
  for (const step of all) await follow(step);
  await writeFile(join(copy, 'pay.ts'), payment);
  const { stdout } = await run(process.execPath, ['pay.ts'], { cwd: copy, env: { ...process.env, ...compileCache } });
  expect(stdout.trim()).toBe('SUCCEEDED');
});
