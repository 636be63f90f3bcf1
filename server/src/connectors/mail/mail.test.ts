import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { mailServer } from './index.ts';

let sandbox: Sandbox;
let phone: PhoneClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  phone = new PhoneClient(sandbox.http);
});
afterAll(() => sandbox.stop());

test('a mail arrives with its subject and its accents', async () => {
  const mail = mailServer({ url: sandbox.smtp, from: 'portal@example.com' });
  await mail.send({ to: 'client@example.mg', subject: 'Reçu de paiement', text: 'Merci.\nRéférence abc123' });
  await expect.poll(() => phone.mail('client@example.mg')).toHaveLength(1);
  const [arrived] = await phone.mail('client@example.mg');
  expect(arrived?.subject).toBe('Reçu de paiement');
  expect(arrived?.text.trim()).toBe('Merci.\nRéférence abc123');
  await mail.close();
});

test('a mail keeps the Message-ID it was given', async () => {
  const mail = mailServer({ url: sandbox.smtp, from: 'portal@example.com' });
  const told = { to: 'sales@example.mg', subject: 'x', text: 'x', messageId: '<lead.HB1@portal.example>' };
  await mail.send(told);
  await mail.send(told);
  await expect.poll(() => phone.mail('sales@example.mg')).toHaveLength(2);
  const ids = (await phone.mail('sales@example.mg')).map(({ messageId }) => messageId);
  expect(ids).toEqual([told.messageId, told.messageId]);
  await mail.close();
});

test('a server that refuses or is unreachable rejects, so that the job is retried', async () => {
  const mail = mailServer({ url: sandbox.smtp, from: 'portal@example.com' });
  await phone.fault({ provider: 'mail', fault: 'refuse', times: 1 });
  await expect(mail.send({ to: 'client@example.mg', subject: 'x', text: 'x' })).rejects.toThrow();
  await mail.close();
  const gone = mailServer({ url: 'smtp://127.0.0.1:9', from: 'portal@example.com' });
  await expect(gone.send({ to: 'client@example.mg', subject: 'x', text: 'x' })).rejects.toThrow();
  await gone.close();
});

test('SEC-24 a remote server without TLS gets no mail', async () => {
  // The same server under a name that is not known as loopback.
  const url = new URL(sandbox.smtp);
  const mail = mailServer({ url: `smtp://127.1:${url.port}`, from: 'portal@example.com' });
  const sent = mail.send({ to: 'nobody@example.mg', subject: 'x', text: 'x' });
  await expect(sent).rejects.toThrow(/STARTTLS|TLS/);
  expect(await phone.mail('nobody@example.mg')).toEqual([]);
  await mail.close();
});
