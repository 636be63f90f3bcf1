import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startCallbackReceiver } from './callbacks/callback-receiver.fixture.ts';
import { PhoneClient } from './phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

/** Of the test file that called `sandboxTests`. */
export let sandbox: Sandbox;
export let phone: PhoneClient;
/** Receives the callbacks. */
export let portal: Awaited<ReturnType<typeof startCallbackReceiver>>;

/** Resets the sandbox before every test of the file. */
export function sandboxTests(settings: Parameters<typeof startSandbox>[0] = {}): void {
  beforeAll(async () => {
    portal = await startCallbackReceiver();
    sandbox = await startSandbox({ callbackBase: portal.url, ...settings });
    phone = new PhoneClient(sandbox.http);
  });
  afterAll(async () => {
    await sandbox.stop();
    await portal.stop();
  });
  beforeEach(async () => {
    await phone.post('/reset');
    portal.received.length = 0;
  });
}
