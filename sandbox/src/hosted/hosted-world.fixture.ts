import { expect } from 'vitest';
import { startCallbackReceiver } from '../callbacks/callback-receiver.fixture.ts';
import { PhoneClient } from '../phone/phone-client.fixture.ts';
import { startSandbox } from '../sandbox.ts';
import type { SandboxOptions } from '../settings.ts';

/** A sandbox and a callback receiver, for tests of gateways with hosted pages. */
export async function startHostedWorld(options: SandboxOptions = {}) {
  const receiver = await startCallbackReceiver();
  const sandbox = await startSandbox({ callbackBase: receiver.url, ...options });
  return {
    sandbox: sandbox.http,
    phone: new PhoneClient(sandbox.http),
    /** The callbacks of one payment, once `count` of them have arrived. */
    async callbacksAbout(reference: string, count: number) {
      const about = () => receiver.received.filter(({ path, body }) => (path + body).includes(reference));
      await expect.poll(() => about().length).toBeGreaterThanOrEqual(count);
      return about();
    },
    async stop() {
      await sandbox.stop();
      await receiver.stop();
    },
  };
}

export type HostedWorld = Awaited<ReturnType<typeof startHostedWorld>>;
