import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { ageProof, expectSoundInBothShapes, inReview, paid, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { approve, giveReason, signInElsewhere } from '../fixtures/proposals.ts';

/** Its wallet is made to take another amount than it was asked for, which no other spec must meet. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

/** As an SMS names the payment that is shown. */
async function referenceOn(page: Page): Promise<string> {
  const title = await page.getByRole('heading', { name: /^Payment / }).textContent();
  return title?.replace('Payment ', '') ?? '';
}

test('CNS-7 care proposes a refund, finance reviews the facts and approves it, not without a connection, and it is sent once', async ({
  page,
  browser,
  ownPortal,
}) => {
  const id = await inReview(ownPortal, '390000451');
  await signIn(page, ownPortal, 'care', `/console/payments/${id}`);
  const reference = await referenceOn(page);
  await page.getByRole('button', { name: 'Propose to give the money back' }).click();
  await expectSoundInBothShapes(page, 'a proposal being made');
  await giveReason(page, 'too much was taken', 'Propose');
  await expect(page.getByText('Proposed to give the money back', { exact: true })).toBeVisible();
  await page.goto(`${ownPortal}/console/approvals`);
  const own = page.getByRole('link', { name: `Refund · ${reference}` });
  await expect(own).toBeVisible();
  await expectSoundInBothShapes(page, 'approvals');
  await own.click();
  await expect(page.getByText('You proposed it: somebody else has to approve it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  const finance = await signInElsewhere(browser, ownPortal, 'finance', {
    to: new URL(page.url()).pathname,
    like: page,
  });
  await expect(finance.getByRole('region', { name: 'What is known' })).toContainText('waits for a person');
  await expect(finance.getByText('The customer is told.')).toBeVisible();
  await expectSoundInBothShapes(finance, 'a proposal');
  await finance.getByRole('button', { name: 'Approve' }).click();
  const dialog = finance.getByRole('dialog');
  await expectSoundInBothShapes(finance, 'an approval');
  await test.step('without a connection it says so, and does nothing later', async () => {
    await finance.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'There is no connection: nothing was sent. Try again once there is one.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await finance.getByRole('link', { name: 'The story of the payment' }).click();
    await expect(finance.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
    await finance.context().setOffline(false);
    await finance.goBack();
    await finance.reload();
    await expect(finance.getByText('waits for you')).toBeVisible();
    await finance.getByRole('button', { name: 'Approve' }).click();
  });
  const slower = await signInElsewhere(browser, ownPortal, 'finance2', {
    to: new URL(page.url()).pathname,
    like: page,
  });
  await slower.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(dialog).toBeHidden();
  await expect(finance.getByText('approved', { exact: true })).toBeVisible();
  // Who is slower is told who decided what, and has nothing left to decide.
  await slower.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(slower.getByText('finance@console.example approved it before you')).toBeVisible();
  await expect(slower.getByRole('dialog')).toBeHidden();
  await expect(slower.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await slower.context().close();
  await finance.getByRole('link', { name: 'The story of the payment' }).click();
  await expect(finance.getByRole('region', { name: 'What each side says' })).toContainText('given back');
  await finance.context().close();
  await page.goto(`${ownPortal}/payment/status?id=${id}`);
  await expect(page.locator('[data-refund]')).toBeVisible();
});

test('CNS-7 a goodwill credit after delivery is proposed, approved after step-up, credited, and shown to the customer', async ({
  page,
  browser,
  ownPortal,
  ownStack,
}) => {
  const finance = await signInElsewhere(browser, ownPortal, 'finance2', { to: '/console/approvals', like: page });
  // Before the payment: the embedded database is started anew for it, and what was paid before that is looked for first.
  await ageProof(ownStack, 'finance2@console.example');
  const id = await paid(ownPortal, '390000453');
  await signIn(page, ownPortal, 'care', `/console/payments/${id}`);
  const reference = await referenceOn(page);
  await page.getByRole('button', { name: 'Propose a goodwill credit' }).click();
  await page.getByRole('dialog').getByLabel('Amount').fill('1200');
  await giveReason(page, 'it took an hour', 'Propose');
  await finance.reload();
  await finance.getByRole('link', { name: `Goodwill · ${reference}` }).click();
  const dialog = finance.getByRole('dialog');
  const approving = finance.getByRole('main').getByRole('button', { name: 'Approve' });
  const confirming = dialog.getByRole('button', { name: 'Approve' });
  await test.step('a dialog that is closed gives the focus back to the button that opened it', async () => {
    await approving.press('Enter');
    // Not the button that acts: a key pressed twice approves nothing.
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await finance.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(approving).toBeFocused();
  });
  await approving.press('Enter');
  await confirming.press('Enter');
  await expect(dialog.getByRole('link', { name: 'Show who I am' })).toBeFocused();
  const prove = async () => {
    const proving = finance.waitForEvent('popup');
    await finance.getByRole('link', { name: 'Show who I am' }).click();
    return proving;
  };
  // Somebody else's proof is no proof, and the desk stays whose it was.
  const wrong = await prove();
  await wrong.getByRole('button', { name: /\bfinance@console\.example/ }).click();
  await expect(wrong.getByRole('heading', { name: 'That was somebody else' })).toBeVisible();
  await wrong.close();
  await expect(finance.getByRole('link', { name: 'Show who I am' })).toBeVisible();
  const proving = await prove();
  await proving.getByRole('button', { name: 'finance2@console.example' }).click();
  // What was begun waits in the first window, and that one knows.
  await expect(confirming).toBeFocused();
  await confirming.press('Enter');
  await expect(dialog).toBeHidden();
  // The button that opened it is gone.
  await expect(approving).toHaveCount(0);
  await expect(finance.getByRole('main')).toBeFocused();
  await finance.context().close();
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts).toContainText('1,200 · credited');
  for (const [prefix, words] of [
    ['', 'as a goodwill gesture'],
    ['/sw', 'geste commercial'],
    ['/mg', 'maimaimpoana'],
  ]) {
    await page.goto(`${ownPortal}${prefix}/payment/status?id=${id}`);
    await expect(page.locator('[data-goodwill=given]')).toContainText(words ?? '');
  }
});

test('CNS-14 an admin finds and exports the data held about a number, and another admin erases it', async ({
  page,
  browser,
  ownPortal,
}) => {
  const payer = '390000455';
  const id = await paid(ownPortal, payer);
  await expect
    .poll(async () => {
      const answer = await fetch(`${ownPortal}/payment/status?id=${id}`);
      return (await answer.text()).includes('data-money="delivered"');
    })
    .toBe(true);
  await signIn(page, ownPortal, 'admin', '/console/erase');
  const search = async () => {
    await page.getByLabel('Number or email').fill(`0${payer}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await giveReason(page, 'asked by letter', 'Search');
  };
  await search();
  const held = page.getByRole('region', { name: 'What is held' });
  await expect(held).toContainText('Payments');
  await expectSoundInBothShapes(page, 'what is held');
  await expect(held).not.toContainText(payer);
  await page.getByRole('button', { name: 'Show in full' }).click();
  await giveReason(page, 'to check it', 'Show in full');
  await expect(page.getByRole('region', { name: 'In full' })).toContainText(payer);
  await expectSoundInBothShapes(page, 'in full');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), giveReason(page, 'handed over', 'Download as CSV')]);
  expect(readFileSync(await file.path(), 'utf8')).toContain(`"Number that gets it","0${payer}"`);
  await page.getByRole('button', { name: 'Propose to erase' }).click();
  await giveReason(page, 'asked by letter', 'Propose to erase');
  await page.getByRole('link', { name: 'Proposed: waits for another admin' }).click();
  await expect(page.getByText('You proposed it')).toBeVisible();

  const other = await signInElsewhere(browser, ownPortal, 'admin2', { to: new URL(page.url()).pathname, like: page });
  const known = other.getByRole('region', { name: 'What is known' });
  const rows = known.getByRole('table', { name: 'What is held' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Payments' })).toContainText('names taken out');
  await expect(other.getByText('Entries that stay, because they are under way: 0.')).toBeVisible();
  const masked = `${payer.slice(0, 2)} •• ••• ${payer.slice(-2)}`;
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(`Erase a person · ${masked}`);
  await expectSoundInBothShapes(other, 'an erasure');
  await approve(other);
  await expect(known).toContainText(/Were erased\s*[1-9]/);
  await expect(other.getByText('Entries that stayed, because they were under way: 0.')).toBeVisible();
  await other.context().close();
  await page.goto(`${ownPortal}/console/erase`);
  await search();
  await expect(page.getByText(/^Nothing is held about/)).toBeVisible();
  await page.goto(`${ownPortal}/console/audit`);
  await expect(page.getByRole('row').filter({ hasText: 'Payments: ' }).first()).toContainText('What providers wrote: ');
  await expect(page.getByRole('main')).not.toContainText(/[a-z]_[a-z]/);
  await expectSoundInBothShapes(page, 'the audit of an erasure');
});

test('a person of whom everything is under way is not proposed to be erased, and the page says why', async ({
  page,
  ownPortal,
}) => {
  const payer = '390000456';
  await inReview(ownPortal, payer);
  await signIn(page, ownPortal, 'admin', '/console/erase');
  await page.getByLabel('Number or email').fill(`0${payer}`);
  await page.getByRole('button', { name: 'Search' }).click();
  await giveReason(page, 'asked by letter', 'Search');
  await expect(page.getByText(/^Nothing can be erased now: all that is held/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Propose to erase' })).toHaveCount(0);
  await expectSoundInBothShapes(page, 'a person of whom everything is under way');
});

test('approvals and erasure are in French and Malagasy', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'admin', '/console/approvals');
  for (const [name, approvals, erase] of [
    ['Français', 'Approbations', 'Effacer une personne'],
    ['Malagasy', 'Fanekena', 'Hamafa olona'],
  ] as const) {
    await page.goto(`${ownPortal}/console/approvals?list=decided`);
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { level: 1, name: approvals })).toBeVisible();
    await expectSoundInBothShapes(page, `${name} approvals`);
    await page.goto(`${ownPortal}/console/erase`);
    await expect(page.getByRole('heading', { level: 1, name: erase })).toBeVisible();
    await expectSoundInBothShapes(page, `${name} erase`);
  }
});
