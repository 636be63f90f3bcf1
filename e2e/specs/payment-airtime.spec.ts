import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { isCall, recordCalls } from '../fixtures/portal.ts';
import { codeFor, expectBooks, sandbox } from '../fixtures/sandbox.ts';
import { fact, openOrder, scriptReady, settled, stopClock, storeOrder } from '../fixtures/walk.ts';

const address = '/payment/start/airtime';
const client = 'client@example.mg';
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const codeDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter the code' });
const codeField = (page: Page) => codeDialog(page).getByLabel('Code', { exact: true });
const sure = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });
const idIn = (page: Page) => String(new URL(page.url()).searchParams.get('id'));

async function askForCode(page: Page, line: string, payer = line, amount = 1_000) {
  await openOrder(page, orderFor(line, { amount, emailId: client }), address);
  await page.getByLabel('Phone number').fill(payer);
  await goOn(page).click();
}

/** A code that differs from the one sent. */
const wrong = (code: string, step: number) => String((Number(code) + step) % 1_000_000).padStart(6, '0');

test('AIR-1 AIR-2 OTP-1 after code, balance and “Are you sure?” the airtime pays', async ({ page }) => {
  const line = freshLine();
  const payer = freshLine();
  const verifications = recordCalls(page, 'verifyCode');
  const balances = recordCalls(page, 'queryBalance');
  const initiations = recordCalls(page, 'initiate');
  await askForCode(page, line, payer);
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
  const code = await codeFor(payer);
  await codeField(page).pressSequentially('12');
  await page.keyboard.press('Backspace');
  await expect(codeField(page)).toHaveValue('1');
  expect(verifications).toHaveLength(0);
  // Pasted or autofilled, it is submitted automatically.
  await codeField(page).fill(code);
  await expect(sure(page)).toBeVisible();
  await expect(fact(page, 'Balance')).toHaveText('MGA 10,000');
  await expect(fact(page, 'Amount')).toHaveText('MGA 1,000');
  expect(verifications).toHaveLength(1);
  expect(balances[0]?.body).toEqual({
    data: { msisdn: `0${payer}`, uniqueCode: expect.stringMatching(/./), serviceType: 'AIRTIME' },
  });

  await sure(page).getByRole('button', { name: 'No' }).click();
  await expect(sure(page)).toBeHidden();
  expect(initiations).toHaveLength(0);
  await goOn(page).click();
  await sure(page).getByRole('button', { name: 'Yes' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(initiations).toHaveLength(1);
  expect(initiations[0]?.body).toMatchObject({ paymentMode: 'AIRTIME', paymentMobile: `0${payer}`, emailId: client });
  await expectBooks(idIn(page), { taken: 1_000, delivered: 1_000 }, 'airtime');
  expect((await sandbox.line(payer)).airtime).toBe(9_000);
  expect((await sandbox.line(line)).airtime).toBe(11_000);
});

test('AIR-2 MNY-3 ERR-1 too little airtime is reported, nothing is taken, and another payment method keeps the order @desktop', async ({
  page,
}) => {
  const line = freshLine();
  const initiations = recordCalls(page, 'initiate');
  await askForCode(page, line, line, 10_001);
  await codeField(page).fill(await codeFor(line));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Looks like you don’t have sufficient balance.');
  await expect(alert).toContainText('Nothing was taken. Choose another way to pay: your order is kept.');
  expect(initiations).toHaveLength(0);
  expect((await sandbox.line(line)).airtime).toBe(10_000);
});

test('OTP-2 ERR-1 a wrong code (2003) decrements the tries, none left (2002) locks, and closing resets the dialog', async ({
  page,
}) => {
  const line = freshLine();
  const verifications = recordCalls(page, 'verifyCode');
  await askForCode(page, line);
  const code = await codeFor(line);
  for (const left of [4, 3, 2, 1]) {
    await codeField(page).fill(wrong(code, left));
    await expect(codeDialog(page).getByText('Please enter correct OTP')).toBeVisible();
    await expect(codeDialog(page).getByText(`Attempts left: ${left}`)).toBeVisible();
    await expect(codeField(page)).toHaveValue('');
  }
  await codeField(page).fill(wrong(code, 5));
  await expect(codeDialog(page).getByRole('alert')).toHaveText(
    /^Maximum attempts exhausted\.Nothing was taken\. Close this window and go on/,
  );
  await expect(codeField(page)).toBeHidden();
  expect(verifications).toHaveLength(5);
  await codeDialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(codeDialog(page)).toBeHidden();
  await goOn(page).click();
  await expect(codeField(page)).toBeVisible();
});

test('OTP-2 OTP-3 ERR-1 Resend appears after a minute; a refusal (400) is shown and the dialog closes after 11 s @desktop', async ({
  page,
}) => {
  const line = freshLine();
  const resends = recordCalls(page, 'resendCode');
  await storeOrder(page, orderFor(line, { emailId: client }));
  await stopClock(page);
  await page.goto(address);
  await page.keyboard.press('Shift');
  await scriptReady(page);
  await goOn(page).click();
  await expect(codeField(page)).toBeVisible();
  await expect(codeDialog(page).getByRole('timer')).toHaveText(/in 60 s/);
  await settled(page);
  await page.clock.runFor(59_000);
  await expect(codeDialog(page).getByRole('button', { name: 'Resend' })).toBeHidden();
  await page.clock.runFor(1_500);
  // Only the page's clock moved: for the server hardly a second has passed, so it says how long to wait.
  const resend = async () => {
    const answered = page.waitForResponse(isCall('resendCode'));
    await codeDialog(page).getByRole('button', { name: 'Resend' }).click();
    await settled(page, answered);
  };
  await resend();
  await expect(codeField(page)).toHaveAccessibleDescription(/You can ask for another code in \d+ seconds\./);
  await page.clock.runFor(60_500);
  // A code of another session cannot be resent.
  await page.context().clearCookies();
  await resend();
  await expect(codeDialog(page).getByRole('alert')).toContainText('Please ask for a new code.');
  expect(resends).toHaveLength(2);
  await page.clock.runFor(10_900);
  await expect(codeDialog(page)).toBeVisible();
  await page.clock.runFor(200);
  await expect(codeDialog(page)).toBeHidden();
  await expect(goOn(page)).toBeEnabled();
});
