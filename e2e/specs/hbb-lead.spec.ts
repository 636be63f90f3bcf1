import { expect, test } from '@playwright/test';
import {
  chooseTown,
  dialog,
  enterCode,
  fillDetails,
  openDetails,
  proceed,
  sendForm,
  toConfirm,
} from '../fixtures/lead.ts';
import { callPortal, callUrl, isCall, paths, recordCalls, registerPayment, startPayment } from '../fixtures/portal.ts';
import { codeFor, codeMailedTo, expectBooks, freshLine, sandbox } from '../fixtures/sandbox.ts';
import {
  chooseWay,
  fact,
  moneyHeading,
  open,
  pay,
  scriptReady,
  store,
  stored,
  toStatusPage,
} from '../fixtures/walk.ts';

const path = '/hbb-lead';

test('LEA-1 device and plans stand side by side; Proceed waits for a plan, which a reload keeps', async ({ page }) => {
  await open(page, path);
  await expect(page.getByRole('heading', { name: 'Home 5G outdoor unit' })).toBeVisible();
  await expect(page.getByText('Wi-Fi for the whole house')).toBeVisible();
  await expect(page.getByText('The price includes tax and a one-time connection fee of MGA 20,000.')).toBeVisible();
  await expect(proceed(page)).toBeDisabled();
  await expect(page.getByRole('radio')).toHaveCount(4);
  await page.getByRole('radio', { name: '50 GB, 30 days' }).check();
  const selected = page.getByRole('region', { name: 'Selected Plan' });
  for (const words of ['50 GB, 30 days', '30 days', 'MGA 90,000']) await expect(selected).toContainText(words);
  await expect(proceed(page)).toBeEnabled();
  await page.reload();
  await scriptReady(page);
  await expect(page.getByRole('radio', { name: '50 GB, 30 days' })).toBeChecked();

  await store(page, 'devices_detail', { heading_image: '/icon.svg', deviceName: 'Indoor router', features: ['Small'] });
  await page.reload();
  await scriptReady(page);
  await expect(page.getByRole('heading', { name: 'Indoor router' })).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('FRM-1 FRM-2 FRM-3 LEA-2 fields and actions go by rank, every rule speaks at each change, and nothing is lost', async ({
  page,
}) => {
  await openDetails(page);
  const form = page.locator('form').filter({ has: page.getByLabel('Full name') });
  const names = await form.locator('[name]').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
  expect(names).toEqual(['fullName', 'contactNumber', 'email', 'town', 'installationAddress', 'landmark', 'consent']);
  expect(await form.getByRole('button').allTextContents()).toEqual(['Back', 'Continue']);
  await expect(page.getByText('++261')).toBeVisible();
  await expect(form.getByRole('link', { name: 'terms' })).toHaveAttribute('href', '/privacy-policy');
  await expect(sendForm(page)).toBeDisabled();
  await expect(page.getByText('is required')).toHaveCount(0);

  const rules: [string, string, string][] = [
    ['Full name', 'L', 'Full name must be at least 2 characters'],
    ['Full name', '<script>alert(1)</script>', 'Invalid Full name'],
    ['Full name', '', 'Full name is required'],
    ['Mobile number', '20123', 'Invalid Mobile No'],
    ['Email', 'a b', 'Invalid Email Id'],
    ['Installation address', 'Lot', 'Installation address must be at least 5 characters'],
    ['Installation address', '12345', 'Please enter a valid address'],
    ['Landmark', '-- / --', 'Please enter a valid landmark'],
    ['Landmark', 'by <b>', 'Invalid Landmark'],
  ];
  for (const [label, typed, words] of rules) {
    await page.getByLabel(label).fill('x');
    await page.getByLabel(label).fill(typed);
    await expect(page.getByText(words, { exact: true }), `${label}: ${typed}`).toBeVisible();
    await expect(sendForm(page)).toBeDisabled();
  }
  await page.getByLabel('Installation address').fill('Lot II 12 (near "La Sœur"): 2nd floor');
  await expect(page.getByLabel('Installation address')).toHaveAccessibleDescription('');
  const town = page.getByRole('combobox', { name: 'Town' });
  await town.fill('atlantis');
  await expect(page.getByText('No match')).toBeVisible();
  await town.fill('TOAMAS');
  await expect(page.getByRole('option', { name: 'Toamasina', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await scriptReady(page);
  await expect(page.getByLabel('Landmark')).toHaveAccessibleDescription('Invalid Landmark');

  await page.getByLabel('Landmark').fill('');
  await fillDetails(page, '390000001');
  await page.getByRole('checkbox').uncheck();
  await expect(sendForm(page)).toBeDisabled();
  await page.reload();
  await scriptReady(page);
  await expect(page.getByLabel('Full name')).toHaveValue('Lova Rabe');
  await page.getByRole('checkbox').check();
  await expect(sendForm(page)).toBeEnabled();
});

test('LEA-3 LEA-4 LEA-5 STA-4 a feasible town leads over map, code and lead to the payment, and the status shows the lead', async ({
  page,
}) => {
  const number = freshLine();
  const asked = recordCalls(page, 'sendLeadCode');
  const sent = recordCalls(page, 'submitLead');
  await openDetails(page);
  await fillDetails(page, number);
  await toConfirm(page);
  await expect(fact(page, 'Address')).toHaveText('Lot II 12 Analakely');
  await dialog(page).getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Lova Rabe');
  await toConfirm(page);
  await page.reload();
  await scriptReady(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(dialog(page)).toContainText('Congratulations! Service is available in your area');
  expect(asked[0]?.body).toMatchObject({ msisdn: `0${number}`, customerDetails: { fullName: 'Lova Rabe' } });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({
    feasibility: true,
    lineType: 'PREPAID',
    reference: 'ODU PURCHASE',
    consent: true,
    address: { country: 'madagascar', city: 'Antananarivo', lat: expect.any(Number), lng: expect.any(Number) },
  });
  await expect(page).toHaveURL('/payment/start');
  const { leadId } = (await stored(page, 'QueryData')) as { leadId: string };
  await chooseWay(page, 'Fanilo Money');
  const initiated = page.waitForRequest(isCall('initiate'));
  await pay(page);
  expect((await initiated).postDataJSON()).toMatchObject({ transactionType: 'HBB_LEADS', txnId: leadId });
  await toStatusPage(page);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(moneyHeading(page)).toBeVisible();
  await expect(page.getByText(leadId)).toBeVisible();
  await expect(page.getByText('We call you to agree on a day for the installation.')).toBeVisible();
  await expect(page.getByText(/^l•+@example\.mg$/)).toBeVisible();
});

test('LEA-4 LEA-5 another operator’s number is proved by mail, and a town that is not served ends in thanks', async ({
  page,
}) => {
  const email = `foreign${freshLine()}@example.mg`;
  const asked = recordCalls(page, 'sendLeadCode');
  const sent = recordCalls(page, 'submitLead');
  await openDetails(page);
  await fillDetails(page, '340000001', { town: 'Ambanja', email });
  await toConfirm(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog(page)).toContainText(email);
  await enterCode(page, await codeMailedTo(email));
  await expect(dialog(page)).toContainText('Our service is not available in Ambanja yet.');
  expect(asked[0]?.body).not.toHaveProperty('msisdn');
  expect(sent[0]?.body).toMatchObject({ lineType: 'INVALID', feasibility: false });
  await expect(dialog(page).getByRole('button', { name: 'Explore other Products' })).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('LEA-4 LEA-5 ERR-1 a lead whose answer is lost says so, and tried again it is the same lead without another code', async ({
  page,
}) => {
  const number = freshLine();
  const codes = recordCalls(page, 'sendLeadCode');
  await openDetails(page);
  await fillDetails(page, number);
  await toConfirm(page);
  let leadId = '';
  await page.route(callUrl('submitLead'), async (route) => {
    const answer = await route.fetch();
    leadId = (await answer.json()).result.refLeadId;
    await route.abort();
  });
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(dialog(page)).toContainText('Something Went Wrong!');

  await page.unrouteAll();
  await page.reload();
  await scriptReady(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog(page)).toContainText('Congratulations!');
  await expect(dialog(page)).toContainText(leadId);
  expect(codes).toHaveLength(1);
});

test('LEA-5 ERR-1 when no codes are sent any more the form is cleared, and nobody is blamed for it', async ({
  page,
}) => {
  await openDetails(page);
  await fillDetails(page, freshLine());
  await toConfirm(page);
  const message = 'max limit exhausted, please try after sometime.';
  await page.route(callUrl('sendLeadCode'), (route) =>
    route.fulfill({ status: 502, json: { statusCode: 502, status: 'failure', message, result: null } }),
  );
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(message)).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByLabel('Full name')).toHaveValue('');
  await expect(page.getByText('is required')).toHaveCount(0);
  await chooseTown(page, 'Toamasina');
});

test('FRM-2 a field that the server refuses says so beside it until it is changed', async ({ page }) => {
  const number = freshLine();
  await openDetails(page);
  await fillDetails(page, number);
  await toConfirm(page);
  const message = 'This address cannot be written to.';
  await page.route(callUrl('submitLead'), (route) =>
    route.fulfill({
      status: 422,
      json: { statusCode: 'MALFORMED', status: 'failure', message, result: null, error: { message, field: 'email' } },
    }),
  );
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(message);
  await page.getByLabel('Email').fill(`other${number}@example.mg`);
  await expect(page.getByText(message)).toHaveCount(0);
});

test('LEA-1 a plan withdrawn while its form was filled in is said so, and another is chosen with all that was typed', async ({
  page,
}) => {
  const number = freshLine();
  await openDetails(page);
  await fillDetails(page, number);
  await toConfirm(page);
  await page.route(callUrl('submitLead'), (route) =>
    route.fulfill({ status: 409, json: { statusCode: 'NOT_OFFERED', status: 'failure', message: '', result: null } }),
  );
  await page.route(callUrl('bundles'), async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const result = json.result.filter(({ description }: { description: string }) => description !== '50 GB, 30 days');
    await route.fulfill({ response, json: { ...json, result } });
  });
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(page.getByRole('alert')).toHaveText(/This plan is no longer sold/);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('radio')).toHaveCount(3);
  await page.getByRole('radio').first().check();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await proceed(page).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Lova Rabe');
  await expect(page.getByLabel('Installation address')).toHaveValue('Lot II 12 Analakely');
});

test('LEA-1 what the page is made of is asked for again when it did not come @desktop', async ({ page }) => {
  await open(page, path);
  await page.route(callUrl('bundles'), (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'Recharge' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Recharge' })).toBeVisible();
  await page.goBack();
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await page.unrouteAll();
  await again.click();
  await expect(page.getByRole('radio', { name: '50 GB, 30 days' })).toBeVisible();
});

test('PAY-6 STA-4 a Works visit from its address to the paid order: email fixed, type HBB_LEADS, mode HBB_AIRTIME', async ({
  page,
}) => {
  const number = freshLine();
  await rechargeByWallet(number, 90_000);
  const leads = recordCalls(page, 'submitLead');
  const initiations = recordCalls(page, 'initiate');
  await openDetails(page, `${path}?isFaniloWorks=true&id=AW-7`);
  await expect(page.getByText('Fanilo Works visit AW-7')).toBeVisible();
  await fillDetails(page, number);
  await toConfirm(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(dialog(page)).toContainText('Congratulations!');
  expect(leads.map(({ body }) => body)).toEqual([expect.objectContaining({ source: 'HBB_ODU_AW', worksId: 'AW-7' })]);
  await expect(page).toHaveURL('/payment/start');
  const { leadId } = (await stored(page, 'QueryData')) as { leadId: string };

  await expect(page.getByRole('group', { name: 'Ways to pay' }).getByRole('link')).toHaveCount(1);
  await expect(page.getByLabel('Email')).toHaveJSProperty('readOnly', true);
  await expect(page.getByLabel('Email')).toHaveValue(`lead${number}@example.mg`);
  const asked = page.waitForRequest(isCall('sendCode'));
  await page.getByRole('button', { name: /Continue|^Pay / }).click();
  expect((await asked).postDataJSON()).toMatchObject({ data: { paymentMode: 'HBB_AIRTIME' } });
  await enterCode(page, await codeFor(number, 2));
  const sure = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(fact(page, 'Balance')).toHaveText('MGA 100,000');
  await sure.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(initiations).toHaveLength(1);
  expect(initiations[0]?.body).toMatchObject({
    transactionType: 'HBB_LEADS',
    paymentMode: 'HBB_AIRTIME',
    txnId: leadId,
    amount: 90_000,
  });
  for (const words of [leadId, 'We call you to agree on a day for the installation.'])
    await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByText(/^l•+@example\.mg$/)).toBeVisible();

  const id = String(new URL(page.url()).searchParams.get('id'));
  await expectBooks(id, { taken: 90_000, delivered: 90_000 }, 'airtime');
  expect((await sandbox.line(number)).airtime).toBe(10_000);
  const orders = (await sandbox.orders()).filter(({ relatedEntity }) => relatedEntity[0]?.id === leadId);
  expect(orders.map(({ externalId }) => externalId)).toEqual([id]);
  const tracked = await callPortal(paths.trackLead, { refLeadId: leadId });
  expect(tracked.envelope.result).toMatchObject({ leadStatus: 'PAID' });
});

/** A plan costs more than a new line holds, so its owner fills it up first. */
async function rechargeByWallet(number: string, amount: number) {
  const id = await registerPayment(number, amount);
  await startPayment(id);
  await expectBooks(id, { taken: amount, delivered: amount });
}
