import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectSound, expectSoundInBothShapes, find, paid, signIn } from '../fixtures/console.ts';
import { homePlan, submittedLead } from '../fixtures/lead.ts';
import { test } from '../fixtures/own-stack.ts';

test.use({
  ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', SERVICE_WORKER: 'off' },
  locale: 'en-GB',
});

test('CNS-13 care finds, lists, moves, annotates, assigns, reveals, exports and erases a lead', async ({
  page,
  browser,
  ownPortal,
}) => {
  const number = '390000701';
  const id = await submittedLead(number, { portal: ownPortal });
  await signIn(page, ownPortal, 'care', '/console/leads');
  await expect(page.getByRole('group', { name: 'Which stage' }).getByRole('link')).toHaveText([
    /^new \(\d+\)$/,
    /^contacted \(\d+\)$/,
    /^installed \(\d+\)$/,
    /^lost \(\d+\)$/,
  ]);
  await expect(page.getByRole('link', { name: id })).toBeVisible();
  await expectSoundInBothShapes(page, 'leads');

  await find(page, ownPortal, id);
  await expect(page.getByRole('heading', { level: 1, name: `Request ${id}` })).toBeVisible();
  // The only hit opens by itself; Back leads to what was searched for.
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue(id);
  await page.getByRole('table').getByRole('link', { name: id }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Request ${id}` })).toBeVisible();
  await expectSoundInBothShapes(page, 'a lead');
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts).toContainText('L. R.');
  await expect(page.getByRole('main')).not.toContainText('Lova');
  await facts.getByRole('button', { name: 'Show in full' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('to call them back');
  await dialog.getByRole('button', { name: 'Show in full' }).click();
  await expect(facts).toContainText('Lova Rabe');

  await page.getByLabel('Stage').selectOption('contacted');
  await page.getByRole('button', { name: 'Move' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Moved it');
  // Somebody else is quicker: who writes is told so, and keeps what they wrote.
  const note = page.getByLabel('New note');
  await note.fill('Wants the box upstairs');
  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await signIn(other, ownPortal, 'care', `/console/leads/${id}`);
  await page.route('**/console/api/lead?*', (route) => route.abort());
  await other.getByLabel('Worked on by').selectOption({ index: 1 });
  await other.getByRole('button', { name: 'Assign' }).click();
  await expect(other.getByRole('region', { name: 'History' })).toContainText('Gave it to somebody');
  await page.getByRole('button', { name: 'Save the note' }).click();
  await expect(page.getByText('what you wrote is still here')).toBeVisible();
  await expect(note).toHaveValue('Wants the box upstairs');
  await page.unroute('**/console/api/lead?*');
  await expect(history).toContainText('Gave it to somebody');
  await page.getByRole('button', { name: 'Save the note' }).click();
  await expect(note).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Wants the box upstairs');
  await other.context().close();
  await test.step('a note that is too long says so, and nothing of it is cut', async () => {
    const notes = page.getByRole('region', { name: 'Notes' });
    await note.fill('x'.repeat(995));
    await expect(notes.getByText('Characters left: 5').first()).toBeVisible();
    await expect(notes.getByRole('status')).toHaveText('Characters left: 5');
    await note.fill('x'.repeat(1_007));
    await expect(notes.getByRole('status')).toHaveText('7 characters too many: at most 1000 fit.');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await expect(note).toBeFocused();
    await expect(note).toHaveValue('x'.repeat(1_007));
    await expectSound(page, 'a note that is too long');
    await note.fill('');
  });
  await expectSoundInBothShapes(page, 'a lead with a note');

  await page.goto(`${ownPortal}/console/leads?stage=contacted`);
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
  await page.getByLabel('Worked on by').selectOption('Nobody yet');
  await expect(page).toHaveURL(/assigned=nobody/);
  await expect(page.getByRole('row').filter({ hasText: id })).toHaveCount(0);
  await page.getByLabel('Worked on by').selectOption('Anybody');
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  await dialog.getByLabel('Reason').fill('the list of the week');
  await expectSoundInBothShapes(page, 'an export');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('leads-contacted.csv');
  const table = await readFile(await file.path(), 'utf8');
  expect(table).toContain(id);
  expect(table).not.toMatch(new RegExp(`Lova|${number}|Analakely`));

  await page.goto(`${ownPortal}/console/leads/${id}`);
  await page.getByRole('button', { name: 'Erase this request' }).click();
  await dialog.getByLabel('Reason').fill('the customer asks for it');
  await dialog.getByRole('button', { name: 'Erase this request' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible();
  await page.goto(`${ownPortal}/console/leads/${id}`);
  await expect(page.getByText('There is no such thing')).toBeVisible();
});

test('CNS-13 the money of a paid request that is lost waits for finance, and the request with it', async ({
  page,
  browser,
  ownPortal,
}) => {
  const payer = '390000703';
  const id = await submittedLead(payer, { portal: ownPortal });
  const order = { transactionType: 'HBB_LEADS', productCode: homePlan.code, txnId: id };
  const payment = await paid(ownPortal, payer, {}, { ...order, amount: homePlan.amount });
  await signIn(page, ownPortal, 'care', `/console/leads/${id}`);
  const erasing = page.getByRole('region', { name: 'Erase this request' });
  await expect(erasing).toContainText('It is paid, and neither installed nor given back.');
  await expect(page.getByRole('button', { name: 'Erase this request' })).toHaveCount(0);

  await page.getByLabel('Stage').selectOption('lost');
  await page.getByRole('button', { name: 'Move' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The customer paid MGA 90,000, and it is not given back by itself.');
  await expectSoundInBothShapes(page, 'a paid request that is to be lost');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Move' }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(dialog).toHaveCount(0);
  const money = page.getByRole('region', { name: 'The money' });
  await expect(money.getByRole('link', { name: 'To the payment' })).toHaveAttribute('href', new RegExp(payment));
  await expect(erasing).toContainText('neither installed nor given back');
  await expectSoundInBothShapes(page, 'a paid request that is lost');

  const desk = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await signIn(desk, ownPortal, 'finance');
  const owed = desk.getByRole('region', { name: 'Money to give back' });
  await expect(owed).toContainText('MGA 90,000');
  await expectSoundInBothShapes(desk, 'money to give back');
  await desk.goto(`${ownPortal}/console/payments/${payment}`);
  await desk.getByRole('region', { name: 'What can be done' }).getByRole('link', { name: id }).click();
  await desk.getByRole('button', { name: 'Record that it was given back' }).click();
  const recording = desk.getByRole('dialog');
  await recording.getByLabel('Reason').fill('Refund 4711 at the provider');
  await recording.getByRole('button', { name: 'Record that it was given back' }).click();
  await expect(desk.getByRole('region', { name: 'History' })).toContainText('Recorded that the money went back');
  await expect(desk.getByRole('region', { name: 'The money' })).toHaveCount(0);
  await desk.goto(`${ownPortal}/console`);
  await expect(desk.getByRole('heading', { name: 'Waiting now' })).toBeVisible();
  await expect(owed).toHaveCount(0);
});

test('leads are in French and Malagasy', async ({ page, ownPortal }) => {
  const id = await submittedLead('390000702', { portal: ownPortal });
  await signIn(page, ownPortal, 'care', `/console/leads/${id}`);
  for (const [language, title, notes] of [
    ['Français', 'Demande', 'Pas encore de note.'],
    ['Malagasy', 'Fangatahana', 'Mbola tsy misy fanamarihana.'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(language);
    await expect(page.getByRole('heading', { level: 1, name: `${title} ${id}` })).toBeVisible();
    await expect(page.getByText(notes)).toBeVisible();
    await expectSound(page, language);
  }
});
