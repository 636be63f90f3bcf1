import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [entry], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ready = once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)));
  ready.catch(() => undefined);
  return { child, output, exited, ready };
}

test('it prints its URL once, serves, and stops on SIGTERM', async () => {
  const { child, output, exited, ready } = run({});
  const addresses = await ready;
  expect(addresses).toEqual({
    ready: true,
    http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    smpp: expect.stringMatching(/^smpp:\/\/127\.0\.0\.1:\d+$/),
    smtp: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
  });
  expect((await fetch(`${addresses.http}/sandbox/api/lines/390000001`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output.stdout.trim().split('\n')).toHaveLength(1);
  expect(output.stderr).toBe('');
});

test('it refuses to run in production unless enabled explicitly', async () => {
  const refused = run({ NODE_ENV: 'production' });
  expect(await refused.exited).toBe(1);
  expect(refused.output.stderr.trim()).toBe(
    'The sandbox does not start in production unless SANDBOX=1 asks for it by name.',
  );
  expect(refused.output.stdout).toBe('');

  const asked = run({ NODE_ENV: 'production', SANDBOX: '1' });
  await asked.ready;
  asked.child.kill('SIGTERM');
  expect(await asked.exited).toBe(0);
});

test('it reports a port in use and an invalid setting', async () => {
  const occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  const address = occupant.address();
  const port = String(typeof address === 'object' && address ? address.port : '');
  try {
    for (const name of ['SANDBOX_PORT', 'SANDBOX_SMPP_PORT', 'SANDBOX_SMTP_PORT']) {
      const { exited, output } = run({ [name]: port });
      expect(await exited).toBe(1);
      expect(output.stderr.trim()).toBe(
        `Port ${port} (${name}) is already in use on 127.0.0.1; free it or choose another.`,
      );
    }
    const wrong = run({ SANDBOX_APPROVE_AFTER_MS: 'soon' });
    expect(await wrong.exited).toBe(1);
    expect(wrong.output.stderr).toContain('SANDBOX_APPROVE_AFTER_MS must be a whole number');
    const remote = run({ SANDBOX_CALLBACK_BASE: 'http://example.com' });
    expect(await remote.exited).toBe(1);
    expect(remote.output.stderr).toContain('SANDBOX_CALLBACK_BASE');
  } finally {
    occupant.close();
  }
});
