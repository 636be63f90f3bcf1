import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { sandbox, sandboxTests } from '../../../sandbox/src/sandbox-tests.fixture.ts';
import { type TestPortal, testPortal } from './portal.ts';

/** The portal of the test file that called `portalTests`. */
export let running: TestPortal;

/** A portal that the sandbox's providers can call back. The sandbox is reset before every test. */
export function portalTests(
  settings: Parameters<typeof sandboxTests>[0],
  ...[changes, now]: [Parameters<typeof testPortal>[1], (() => Date)?]
): void {
  sandboxTests(settings);
  beforeAll(async () => {
    running = await testPortal(sandbox, changes, now);
    await running.portal.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = running.portal.http.server.address() as AddressInfo;
    sandbox.setCallbackBase(`http://127.0.0.1:${port}`);
  });
  afterAll(() => running.stop());
}
