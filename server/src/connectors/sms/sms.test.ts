import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { smpp } from '../../../../sandbox/src/sms/smpp-library.ts';
import type { SmsSender } from '../ports.ts';
import { smsCentre } from './index.ts';

let sandbox: Sandbox;
let phone: PhoneClient;
let sms: SmsSender;

beforeAll(async () => {
  sandbox = await startSandbox({ receiptAfterMs: 5 });
  phone = new PhoneClient(sandbox.http);
  sms = smsCentre({ url: sandbox.smpp, systemId: 'sandbox', password: 'sandbox', sender: 'Fanilo' });
});
afterAll(async () => {
  await sms.close();
  await sandbox.stop();
});
beforeEach(() => phone.post('/reset'));

const arrived = async () => (await phone.messages('390000001')).map(({ from, text }) => ({ from, text }));

test.each([
  ['a plain text', 'Your recharge is there. Reference abc123.'],
  ['accents of the basic alphabet', 'Paiement reçu à 8 h, merci !'],
  ['letters of the whole alphabet', 'Misaotra tompoko ô, vita ny fandoavana: 5 000 Ar · œuvre'],
  ['a text longer than one message', 'Voninahitra '.repeat(30)],
  ['a long text of the whole alphabet', 'ôœ '.repeat(80)],
])('%s arrives as it was written', async (_what, text) => {
  const { messageId } = await sms.send({ to: '261390000001', text });
  expect(messageId).not.toBe('');
  await expect.poll(arrived).toEqual([{ from: 'Fanilo', text }]);
});

test('concurrent messages share a session and all arrive', async () => {
  const texts = Array.from({ length: 10 }, (_, index) => `message ${index}`);
  await Promise.all(texts.map((text) => sms.send({ to: '261390000001', text })));
  await expect.poll(async () => (await arrived()).map(({ text }) => text).sort()).toEqual([...texts].sort());
});

test('REL-17 receipts are reported, also for more messages than the window holds', async () => {
  const receipts: string[] = [];
  const counting = smsCentre({
    ...{ url: sandbox.smpp, systemId: 'sandbox', password: 'sandbox', sender: 'Fanilo' },
    receipt: (state) => receipts.push(state),
  });
  const texts = Array.from({ length: 25 }, (_, index) => `message ${index}`);
  await Promise.all(texts.map((text) => counting.send({ to: '261390000001', text })));
  await expect.poll(() => receipts.length).toBe(25);
  expect(new Set(receipts)).toEqual(new Set(['delivered']));
  await counting.close();
});

/** A centre that accepts the bind and then answers only as the test says. */
async function silentCentre(hear: (command: string, answer: () => void) => void) {
  const server = smpp.createServer((session) => {
    session.on('error', () => {});
    session.on('pdu', (pdu) => {
      if (pdu.command === 'bind_transceiver') session.send(pdu.response());
      else hear(pdu.command, () => session.send(pdu.response()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `smpp://127.0.0.1:${port}`, stop: () => server.close() };
}

test('REL-17 no more than ten messages are unacknowledged, and a session that does not answer is closed', async () => {
  const answers: (() => void)[] = [];
  let enquiries = 0;
  const centre = await silentCentre((command, answer) => {
    if (command === 'submit_sm') answers.push(answer);
    if (command === 'enquire_link') enquiries += 1;
  });
  const sender = smsCentre({ url: centre.url, systemId: 'x', password: 'x', sender: 'Fanilo', enquireLinkMs: 400 });
  const sent = Array.from({ length: 12 }, () => sender.send({ to: '261390000001', text: 'x' }));
  const ended = Promise.allSettled(sent);
  await expect.poll(() => answers.length).toBe(10);
  for (const answer of answers.splice(0, 2)) answer();
  await Promise.race(sent);
  await expect.poll(() => answers.length).toBe(10);
  await expect.poll(() => enquiries).toBe(1);
  expect(
    (await ended)
      .map(({ status }) => status)
      .sort()
      .slice(0, 3),
  ).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await sender.close();
  centre.stop();
});

test('a refused message is reported, and the next one is sent', async () => {
  await phone.fault({ provider: 'sms', fault: 'refuse', times: 1 });
  await expect(sms.send({ to: '261390000001', text: 'first' })).rejects.toThrow('refused the message');
  await sms.send({ to: '261390000001', text: 'second' });
  await expect.poll(arrived).toEqual([{ from: 'Fanilo', text: 'second' }]);
});

test('a wrong password and an unreachable centre give clear errors', async () => {
  const stranger = smsCentre({ url: sandbox.smpp, systemId: 'sandbox', password: 'wrong', sender: 'Fanilo' });
  await expect(stranger.send({ to: '261390000001', text: 'x' })).rejects.toThrow(/SMS centre/);
  await stranger.close();
  const gone = smsCentre({ url: 'smpp://127.0.0.1:9', systemId: 'sandbox', password: 'sandbox', sender: 'Fanilo' });
  await expect(gone.send({ to: '261390000001', text: 'x' })).rejects.toThrow(/SMS centre/);
  await gone.close();
});

test('SEC-24 smpps sends nothing in clear, not even the user of the bind', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      heard.push(data);
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const encrypted = smsCentre({ url: `smpps://127.0.0.1:${port}`, systemId: 'canary', password: 'x', sender: 'F' });
  await expect(encrypted.send({ to: '261390000001', text: 'canary' })).rejects.toThrow();
  // 22, 3: the first bytes of a TLS handshake.
  expect([...Buffer.concat(heard).subarray(0, 2)]).toEqual([22, 3]);
  expect(Buffer.concat(heard).includes('canary')).toBe(false);
  await encrypted.close();
  server.close();
});
