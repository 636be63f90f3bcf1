import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { phone, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';

sandboxTests();

const receipt = {
  from: 'Fanilo <recu@fanilo.example>',
  to: 'client@example.mg',
  subject: 'Reçu n° 42 ✓',
  text: 'Merci. Montant: 5 000 Ar.',
  html: '<p>Merci</p>',
  attachments: [{ filename: 'reçu.pdf', content: Buffer.from('%PDF-1.4') }],
};

function send(mail: Record<string, unknown> = receipt) {
  return createTransport(sandbox.smtp).sendMail(mail);
}

test('a mail is parsed and found by its address', async () => {
  await send();
  const [mail] = await phone.mail('Client@example.mg');
  expect(mail).toMatchObject({
    to: ['client@example.mg'],
    from: 'recu@fanilo.example',
    subject: receipt.subject,
    text: receipt.text,
    attachments: ['reçu.pdf'],
  });
  expect(mail?.html).toContain('<p>Merci</p>');
  expect(await phone.mail('other@example.mg')).toEqual([]);
});

test('faults: a refusal, an error, and an answer lost after the mail arrived', async () => {
  await phone.fault({ provider: 'mail', fault: 'refuse', times: 1 });
  await expect(send()).rejects.toMatchObject({ responseCode: 550 });
  await phone.fault({ provider: 'mail', fault: 'error500', times: 1 });
  await expect(send()).rejects.toMatchObject({ responseCode: 451 });
  await phone.fault({ provider: 'mail', fault: 'timeout', times: 1, delayMs: 5 });
  await expect(send()).rejects.toThrow();
  expect(await phone.mail('client@example.mg')).toEqual([]);
  await phone.fault({ provider: 'mail', fault: 'loseAnswer', times: 1 });
  await expect(send()).rejects.toThrow();
  expect(await phone.mail('client@example.mg')).toHaveLength(1);
});
