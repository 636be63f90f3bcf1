import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { addPasskeyElsewhere, ageProof, expectSound, showMenu } from '../fixtures/console.ts';
import { besidePortal, databaseSettings } from '../fixtures/embedded.ts';
import { test } from '../fixtures/own-stack.ts';
import { resize } from '../fixtures/resize.ts';
import type { KeptStack } from '../fixtures/stack-keeper.ts';

test.use({ ownSettings: { CONSOLE_SIGN_IN: 'passkeys' }, locale: 'en-GB' });

const root = new URL('../../', import.meta.url).pathname;

/** As whoever runs the portal does at its machine. */
async function firstAdminLink(stack: KeptStack): Promise<string> {
  const env = {
    ...process.env,
    ...databaseSettings(stack),
    PUBLIC_URL: stack.url,
    CONSOLE_SIGN_IN: 'passkeys',
    NODE_ENV: 'test',
  };
  const words = ['server/src/command.ts', 'console', 'first-admin', 'boss@fanilo.example', 'The', 'Boss'];
  const command = () => promisify(execFile)(process.execPath, words, { cwd: root, env });
  const { stdout } = await besidePortal(stack, command);
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** A phone that knows its owner's finger: the browser's own emulation of one. */
async function withFinger(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function join(page: Page, link: string) {
  await page.goto(link);
  await page.getByLabel('Name of the passkey').fill('my phone');
  await expectSound(page, 'invited');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await expect(page.getByRole('banner')).toBeVisible();
}

test('CNS-1 (passkeys; OpenID in console.spec) the first admin registers a passkey by a link from the command, signs in, invites a person, steps up before a role changes, and revokes a lost passkey @desktop', async ({
  page,
  browser,
  ownStack,
}) => {
  const portal = ownStack.url;
  await withFinger(page);
  await resize(page, { width: 360, height: 740 });
  await page.goto(`${portal}/console`);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expectSound(page, 'sign-in');
  const link = await firstAdminLink(ownStack);
  await join(page, link);
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible();
  await page.goto(`${portal}/console/people`);
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await expectSound(page, 'people');
  await resize(page, { width: 1280, height: 800 });
  await expectSound(page, 'people, wide');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();

  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('care@fanilo.example');
  await dialog.getByLabel('Name').fill('Care');
  await dialog.getByLabel('care').check();
  await dialog.getByLabel('Reason').fill('a new colleague');
  await expectSound(page, 'inviting');
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  await expect(dialog.getByText('It is shown only now')).toBeVisible();
  const invitation = await dialog.locator('pre').innerText();
  await expectSound(page, 'the link');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText('care@fanilo.example');

  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await withFinger(other);
  await join(other, invitation);
  await showMenu(other);
  await expect(other.getByRole('navigation').getByRole('link')).toHaveText([
    'Today',
    'Find',
    'Tickets',
    'Leads',
    'Feedback',
    'Approvals',
    'My sessions',
  ]);
  const again = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await withFinger(again);
  await again.goto(invitation);
  await again.getByLabel('Name of the passkey').fill('a stranger');
  await again.getByRole('button', { name: 'Make a passkey' }).click();
  await expect(again.getByRole('alert')).toContainText('This link was used already');
  await again.context().close();

  await ageProof(ownStack, 'boss@fanilo.example');
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'care@fanilo.example' });
  await row.getByRole('button', { name: 'Roles and passkeys' }).click();
  await expect(dialog.getByRole('table')).toContainText('my phone');
  await expectSound(page, 'roles and passkeys');
  await dialog.getByRole('button', { name: 'Change the roles' }).click();
  await dialog.getByLabel('finance').check();
  await dialog.getByLabel('Reason').fill('helps out');
  await dialog.getByRole('button', { name: 'Change the roles' }).click();
  const prove = dialog.getByRole('button', { name: 'Show who I am' });
  await expect(prove).toBeFocused();
  await prove.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Change the roles' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Change the roles' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('care, finance');
  await other.reload();
  await expect(other.getByRole('navigation').getByRole('link', { name: 'Review' })).toHaveCount(1);

  await row.getByRole('button', { name: 'Roles and passkeys' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByLabel('Reason').fill('the phone is lost');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toBeHidden();
  await other.reload();
  await other.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(other.getByRole('alert')).toContainText('This passkey was not accepted');
  await other.context().close();

  await addPasskeyElsewhere(ownStack, 'boss@fanilo.example', 'old tablet');
  await page.goto(`${portal}/console/sessions`);
  const passkeys = page.getByRole('table', { name: 'My passkeys' });
  // One of two is removed by who says so once more; the last one has no button.
  await page.getByRole('button', { name: 'Remove: old tablet' }).click();
  await expect(dialog).toContainText('Remove the passkey “old tablet”?');
  await expectSound(page, 'a passkey being removed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(passkeys).toContainText('old tablet');
  await page.getByRole('button', { name: 'Remove: old tablet' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toBeHidden();
  await expect(passkeys).not.toContainText('old tablet');
  await expect(passkeys).toContainText('my phone');
  await expect(passkeys.getByRole('button')).toHaveCount(0);
  await expectSound(page, 'my passkeys');
  for (const [name, title] of [
    ['Français', 'Mes clés d’accès'],
    ['Malagasy', 'Ny passkey-ko'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expectSound(page, name);
  }
  await page.goto(`${portal}/console/audit`);
  await page.getByRole('banner').getByRole('combobox').selectOption('English');
  for (const act of [
    'Joined by an invitation',
    'Invited somebody',
    'Changed roles',
    'Removed a passkey',
    'Showed once more who they are',
  ])
    await expect(page.getByRole('table').getByText(act).first()).toBeVisible();
});
