import { publicPack } from '@portal/domain/operator.ts';
import { iconNames } from '@portal/operators/icons.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerManifest } from './manifest.routes.ts';
import { registerServiceWorker } from './service-worker.routes.ts';
import type { WebBuild } from './web-build.ts';

const operator = publicPack(pack);
const build = { worker: 'work();', build: 'one', precachedFiles: ['/assets/a.js'] } as unknown as WebBuild;

async function workerOf(options: { web?: WebBuild; of?: typeof operator; enabled?: boolean } = {}) {
  const app = Fastify();
  registerServiceWorker(app, {
    web: options.web ?? build,
    operator: options.of ?? operator,
    enabled: options.enabled ?? true,
  });
  const answer = await app.inject('/sw.js');
  const version = /"version":"([^"]+)"/.exec(answer.body)?.[1];
  return { ...answer, script: answer.body, version };
}

test('the worker is always revalidated, and has the operator’s values', async () => {
  const { headers, script } = await workerOf();
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': expect.stringContaining('javascript') });
  expect(script).toContain('"operator":"mg"');
  expect(script).toContain('"prefixes":["","/sw","/mg"]');
  expect(script.endsWith('work();')).toBe(true);
});

test('another build, worker or operator is another version; the same input is the same version', async () => {
  const versions = await Promise.all([
    workerOf(),
    workerOf({ web: { ...build, build: 'two' } }),
    workerOf({ web: { ...build, worker: 'workOtherwise();' } }),
    workerOf({ of: { ...operator, code: 'ng' } }),
  ]);
  expect(new Set(versions.map(({ version }) => version)).size).toBe(4);
  expect((await workerOf()).version).toBe(versions[0]?.version);
});

test('if switched off, the served worker deletes its caches and unregisters itself', async () => {
  const { script, headers } = await workerOf({ enabled: false });
  expect(headers['cache-control']).toBe('no-cache');
  for (const step of ['skipWaiting', 'caches.delete', 'unregister']) expect(script).toContain(step);
  expect(script).not.toContain('work();');
});

test('the manifest has the operator’s name and colours, and default icons if the operator has none', async () => {
  const app = Fastify();
  const other = {
    ...operator,
    code: 'zz',
    brand: { ...operator.brand, name: 'Another', tokens: { night: '#012345' } },
  };
  registerManifest(app, { operator: other, describe: ({ code }) => `in ${code}` });
  const manifest = (await app.inject('/manifest.webmanifest?lang=mg')).json();
  expect(manifest).toMatchObject({ name: 'Another', theme_color: '#012345', start_url: '/mg', description: 'in MG' });
  expect((await app.inject('/manifest.webmanifest?lang=xx')).json()).toMatchObject({ start_url: '/', lang: 'en-GB' });
  const tab = await app.inject('/icons/icon.svg');
  expect(tab.headers['content-type']).toBe('image/svg+xml');
  expect(tab.body).toContain('#012345');
  for (const name of iconNames) {
    const icon = await app.inject(`/icons/${name}.png`);
    expect(icon.rawPayload.readUInt32BE(16)).toBe(Number(/\d+$/.exec(name)?.[0]));
  }
});
