import { expect, type Locator, type Page } from '@playwright/test';
import { atDesk, expectSoundInBothShapes, paid, signIn } from '../fixtures/console.ts';
import { homePlan, submittedLead } from '../fixtures/lead.ts';
import { test } from '../fixtures/own-stack.ts';
import { giveReason, openEntry, signInElsewhere } from '../fixtures/proposals.ts';

test.use({ ...atDesk, ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

/** The acts that a page called, in their order. */
function actsOf(page: Page): string[] {
  const acts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') acts.push(new URL(request.url()).pathname.replace('/console/api/', ''));
  });
  return acts;
}

/** Without a gap: nothing is rendered between the two. */
const clickTwice = (button: Locator) =>
  button.evaluate((one: HTMLElement) => {
    one.click();
    one.click();
  });

test('an act is called once, however it is pressed twice: an answer, a note, a stage', async ({ page, ownPortal }) => {
  const lead = await submittedLead('390000921', { portal: ownPortal });
  await signIn(page, ownPortal, 'care', `/console/payments/${await paid(ownPortal, '390000922')}`);
  const acts = actsOf(page);
  await page.getByRole('button', { name: 'Open a ticket' }).dblclick();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('We look at it.');
  await clickTwice(dialog.getByRole('button', { name: 'Open a ticket' }));
  const answer = page.getByRole('textbox', { name: 'Answer' });
  for (const press of [clickTwice, (button: Locator) => button.dblclick()]) {
    await answer.fill('It came at noon.');
    await press(page.getByRole('button', { name: 'Send the answer' }));
    await expect(answer).toHaveValue('');
  }
  await page.getByRole('button', { name: 'Mark as solved' }).dblclick();
  await expect(page.getByRole('button', { name: 'Open it again' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(acts).toEqual(['openTicket', 'answerTicket', 'answerTicket', 'solveTicket']);

  acts.length = 0;
  await page.goto(`${ownPortal}/console/leads/${lead}`);
  await page.getByLabel('New note').fill('Wants the box upstairs');
  await clickTwice(page.getByRole('button', { name: 'Save the note' }));
  await expect(page.getByLabel('New note')).toHaveValue('');
  // Each names the version of the lead that it saw, so one waits until the other has ended.
  await page.getByLabel('Worked on by').selectOption({ index: 1 });
  await page.getByLabel('Stage').selectOption('contacted');
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('button'))
      if (['Move', 'Assign'].includes(button.textContent ?? '')) button.click();
  });
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Moved it');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(acts).toEqual(['noteLead', 'moveLead']);
});

test('the second click of a double click hits nothing in the dialog that it opened, and Enter twice does not act', async ({
  page,
  ownPortal,
}) => {
  const payer = '390000923';
  const id = await submittedLead(payer, { portal: ownPortal });
  const order = { transactionType: 'HBB_LEADS', productCode: homePlan.code, txnId: id };
  await paid(ownPortal, payer, {}, { ...order, amount: homePlan.amount });
  await signIn(page, ownPortal, 'care', `/console/leads/${id}`);
  const acts = actsOf(page);
  await page.getByLabel('Stage').selectOption('lost');
  const move = page.getByRole('main').getByRole('button', { name: 'Move' });
  const dialog = page.getByRole('dialog');
  await move.dblclick();
  await expect(dialog).toContainText('it is not given back by itself');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await move.press('Enter');
  await clickTwice(dialog.getByRole('button', { name: 'Move' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'The money' })).toBeVisible();
  expect(acts).toEqual(['moveLead']);
});

test('a draft is saved once, a change proposed once and approved once', async ({ page, browser, ownPortal }) => {
  await signIn(page, ownPortal, 'editor', '/console/content/header');
  const acts = actsOf(page);
  await page.getByRole('button', { name: 'Bundles', exact: true }).click();
  await page.getByLabel('label (English)').first().fill('Bundles of data');
  await clickTwice(page.getByRole('button', { name: 'Save the draft' }));
  await expect(page.getByText('Kept as a draft.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(acts).toEqual(['saveContent']);

  acts.length = 0;
  const dialog = await openEntry(page, ownPortal, 'bundle', 'D20G90');
  await dialog.getByLabel('From when').fill('2098-01-01T00:00');
  await clickTwice(dialog.getByRole('button', { name: 'See what changes' }));
  await dialog.getByLabel('Reason').fill('pressed twice');
  await clickTwice(dialog.getByRole('button', { name: 'Propose' }));
  await expect(dialog).toHaveCount(0);
  expect(acts).toEqual(['previewSheet', 'proposeSheet']);

  const publisher = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals', like: page });
  const decided = actsOf(publisher);
  await publisher.getByRole('row').filter({ hasText: 'pressed twice' }).getByRole('link').click();
  await publisher.getByRole('main').getByRole('button', { name: 'Approve' }).click();
  await clickTwice(publisher.getByRole('dialog').getByRole('button', { name: 'Approve' }));
  await expect(publisher.getByRole('dialog')).toHaveCount(0);
  await expect(publisher.getByText('before you')).toHaveCount(0);
  expect(decided).toEqual(['approve']);
  await publisher.context().close();
});

test('a dialog with something typed in it asks before Back, a reload or a link leaves it', async ({
  page,
  ownPortal,
}) => {
  const asked: string[] = [];
  let mayLeave = false;
  page.on('dialog', (question) => {
    asked.push(question.type());
    return mayLeave ? question.accept() : question.dismiss();
  });
  const dialog = page.getByRole('dialog');
  const expectAsked = async (...types: string[]) => {
    await expect.poll(() => asked).toEqual(types);
    asked.length = 0;
  };
  await signIn(page, ownPortal, 'editor', '/console/catalogue');
  await page.getByRole('link', { name: 'Places', exact: true }).click();
  await page.getByRole('link', { name: /towns/i }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  // Nothing is lost yet: nobody is asked.
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(asked).toEqual([]);
  await page.goForward();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const name = dialog.getByRole('textbox').first();
  await name.fill('Ambato');
  // Back to another table of the same page loses it as well.
  await page.goBack();
  await expectAsked('confirm');
  await page.evaluate(() => window.location.reload());
  await expectAsked('beforeunload');
  await expect(name).toHaveValue('Ambato');
  mayLeave = true;
  await page.goBack();
  await expectAsked('confirm');
  await expect(dialog).toHaveCount(0);
  // Once it is left, nobody is asked any more.
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('a proposal is shown to who may decide it, on Today and in the menu; who proposed it is told that it was refused, and why', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'operator', '/console/ways');
  await page.getByRole('button', { name: 'Switch off: MPESA' }).click();
  await giveReason(page, 'many payments fail');
  const waits = page.getByRole('link', { name: 'Waits for a second person' });
  const address = String(await waits.getAttribute('href'));

  const other = await signInElsewhere(browser, ownPortal, 'operator2', { to: '/console', like: page });
  const mine = other.getByRole('region', { name: 'Waits for your approval' });
  // The root shows the first page, and the menu says which that is.
  await expect(other.getByRole('navigation').locator('[aria-current=page]')).toHaveText('Today');
  await expect(mine.getByRole('link', { name: /Switch a way to pay off · .*M-?PESA/i })).toBeVisible();
  const entry = other.getByRole('navigation').getByRole('link', { name: /^Approvals/ });
  await expect(entry).toHaveAccessibleName(/\d+ waiting for you/);
  await expectSoundInBothShapes(other, 'what waits for me');
  await entry.click();
  await expect(other.getByRole('row').filter({ hasText: 'many payments fail' })).toContainText('waits for you');
  await other.goto(ownPortal + address);
  const main = other.getByRole('main');
  await expect(main.getByText('waits for you', { exact: true })).toBeVisible();
  // Who proposed it waits for somebody else, and is counted nothing.
  await page.goto(ownPortal + address);
  await expect(page.getByText('waits for somebody else', { exact: true })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: /^Approvals/ })).toHaveAccessibleName(
    'Approvals',
  );

  await main.getByRole('button', { name: 'Refuse' }).click();
  await giveReason(other, 'it works again', 'Refuse');
  await expect(mine).toHaveCount(0);
  await other.goto(`${ownPortal}/console/approvals?list=decided`);
  await expect(other.getByRole('row').filter({ hasText: 'many payments fail' })).toContainText(
    'Why it was refused: it works again',
  );
  for (const path of ['ways', 'today', 'approvals']) {
    await page.goto(`${ownPortal}/console/${path}`);
    const told = page.getByRole('note').filter({ hasText: 'What you proposed was refused' });
    await expect(told).toContainText('refused by operator2@console.example');
    await expect(told).toContainText('it works again');
  }
  await expectSoundInBothShapes(page, 'what was refused');
  await other.goto(`${ownPortal}/console/ways`);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(other.getByText('What you proposed was refused')).toHaveCount(0);
  await other.context().close();

  // An editor has no Today: it is told where the proposal waited.
  const editor = await signInElsewhere(browser, ownPortal, 'editor', { to: '/console/catalogue', like: page });
  await editor.goto(`${ownPortal}/console/catalogue?text=D3G7`);
  await editor.getByRole('button', { name: 'Change: D3G7' }).click();
  await editor.getByRole('dialog').getByLabel('From when').fill('2097-01-01T00:00');
  await editor.getByRole('dialog').getByRole('button', { name: 'See what changes' }).click();
  await giveReason(editor, 'a later start');
  const publisher = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals', like: page });
  await publisher.getByRole('row').filter({ hasText: 'a later start' }).getByRole('link').click();
  await publisher.getByRole('button', { name: 'Refuse' }).click();
  await giveReason(publisher, 'too far ahead', 'Refuse');
  await editor.reload();
  await expect(editor.getByRole('note').filter({ hasText: 'too far ahead' })).toContainText('Catalogue');
  // The proposals of a table are about their changes, which a digest names.
  const admin = await signInElsewhere(browser, ownPortal, 'admin', { to: '/console/audit', like: page });
  await expect(admin.getByRole('row').filter({ hasText: 'too far ahead' }).locator('summary')).toHaveText(
    /^.{6}….{4}$/,
  );
  await expectSoundInBothShapes(admin, 'the audit of a digest');
  for (const one of [editor, publisher, admin]) await one.context().close();
});

test('a form begins in the first field that can be edited, shows what cannot be as text, and says what it is about', async ({
  page,
  browser,
  ownPortal,
}) => {
  const dialog = await openEntry(page, ownPortal, 'bundle', 'D10G30');
  await expect(dialog.getByText('D10G30', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toHaveCount(0);
  await expect(dialog.getByLabel('Family')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.goto(`${ownPortal}/console/places`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toHaveAccessibleName('A new shop or dealer');
  await expect(dialog.getByRole('textbox', { name: 'Id' })).toBeFocused();
  await expect(dialog.getByRole('textbox', { name: 'Id' })).toHaveAccessibleDescription(/no other shop has/);
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription(/this console/);

  const operator = await signInElsewhere(browser, ownPortal, 'operator', { to: '/console/ways', like: page });
  await operator.getByRole('button', { name: 'Plan maintenance' }).click();
  const planned = operator.getByRole('dialog');
  await expect(planned.getByLabel('From')).toBeFocused();
  await expect(planned).toContainText('Somebody else has to approve it first; then customers are told');
  await expect(planned).not.toContainText('at once');
  const year = new Date().getFullYear() + 1;
  await planned.getByLabel('From').fill(`${year}-03-05T22:00`);
  await planned.getByLabel('Until').fill(`${year}-03-05T23:30`);
  await giveReason(operator, 'new hardware');
  const open = operator.getByRole('main').getByRole('link', { name: 'Waits for a second person' }).last();
  await open.click();
  await expect(operator.getByRole('heading', { level: 1 })).toContainText(`5 Mar ${year}, 22:00–23:30`);
  await operator.getByRole('button', { name: 'Withdraw' }).click();
  await expect(operator.getByText('withdrawn', { exact: true })).toBeVisible();
  await operator.context().close();
});
