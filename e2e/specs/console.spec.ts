import { setTimeout } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { consoleCallPath } from '@portal/contract/console/calls.ts';
import {
  atDesk,
  expectSound,
  expectSoundInBothShapes,
  inReview,
  paid,
  showMenu,
  signIn,
  signInByHand,
} from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { resize } from '../fixtures/resize.ts';

/** On a portal of its own: the wallet is made to take a wrong amount. One person may decide here. */
test.use({
  ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', FOUR_EYES_OVER: '1000000' },
  locale: 'en-GB',
});
test.describe.configure({ mode: 'default' });

const isStory = (url: URL) => url.pathname === consoleCallPath('payment');

/** On a phone the evidence comes before the actions. */
async function expectEvidenceFirst(page: Page) {
  const viewport = page.viewportSize();
  await resize(page, { width: 360, height: 740 });
  const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y ?? Number.NaN;
  const tops = [
    await top('Facts'),
    await top('What each side says'),
    await top('Story'),
    await top('What can be done'),
  ];
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(tops).not.toContain(Number.NaN);
  if (viewport) await resize(page, viewport);
}

test('CNS-6 finance signs in, takes a case from the REVIEW desk, asks the provider and refunds it', async ({
  page,
  ownPortal,
}) => {
  const payer = '390000401';
  const id = await inReview(ownPortal, payer);
  await page.goto(`${ownPortal}/console/review`);
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expectSoundInBothShapes(page, 'sign-in');
  await signInByHand(page, ownPortal, 'finance', '/console/review');
  await expect(page.getByRole('heading', { name: 'Review' })).toBeVisible();
  const row = page.locator(`a[href$="${id}"]`);
  await expect(row).toBeVisible();
  await expectSoundInBothShapes(page, 'review');
  // Both amounts are shown, and a click beside the link opens it too.
  const sums = page
    .getByRole('row')
    .filter({ has: row })
    .getByText(/^Taken: MGA\s5,001$/);
  await sums.click();
  await expect(page.getByRole('heading', { level: 1, name: /^Payment / })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/Asked for: MGA\s5,000\s*Taken: MGA\s5,001/);
  await expectEvidenceFirst(page);

  await expect(page.getByText('waits for a person').first()).toBeVisible();
  await expectSoundInBothShapes(page, 'a payment');
  await expect(page.getByRole('main')).not.toContainText(payer.replace(/(..)(..)(...)(..)/, '$1 $2 $3 $4'));
  await page.getByRole('button', { name: 'Take it up' }).click();
  await expect(page.getByText('You work on it until')).toBeVisible();
  // Confirmed once the story shows it: what grows under a press makes it miss its button.
  const told = page.getByRole('region', { name: 'Story' }).locator('.mantine-Timeline-item');
  const before = await told.count();
  await page.route(isStory, async (route) => {
    await setTimeout(1000);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Ask the provider now' }).click();
  await expect(page.getByText('The provider was asked.')).toBeVisible();
  expect(await told.count()).toBeGreaterThan(before);
  await page.unroute(isStory);

  await page.getByRole('button', { name: 'Give the money back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('another amount was taken');
  await expectSoundInBothShapes(page, 'a decision');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('finance@console.example · another amount was taken').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'What can be done' })).toContainText('Nothing can or has to be done');
  await expect(page.getByRole('region', { name: 'What each side says' })).toContainText('given back');
});

test('care finds a payment by its number in any spelling, sees its story, and reveals one number for a reason', async ({
  page,
  ownPortal,
}) => {
  await paid(ownPortal, '390000411');
  await signIn(page, ownPortal, 'care', '/console/find');
  await page.getByLabel('Number, email, reference').fill('+261 39 00 004 11');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Payment / })).toBeVisible();
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts).not.toContainText('39 00 004 11');
  await facts.getByRole('button', { name: 'Show in full' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('the customer asks');
  await dialog.getByRole('button', { name: 'Show in full' }).click();
  await expect(facts).toContainText('39 00 004 11');
  // What was delivered is not care's to settle; a credit on top may be proposed.
  await expect(page.getByRole('region', { name: 'What can be done' }).getByRole('button')).toHaveText([
    'Propose a goodwill credit',
    'Send the SMS again',
    'Open a ticket',
  ]);

  await page.goto(`${ownPortal}/console/find`);
  await page.getByLabel('Number, email, reference').fill('nobody@example.mg');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing was found for “nobody@example.mg”')).toBeVisible();
  expect(page.url()).toBe(`${ownPortal}/console/find`);
  await expectSound(page, 'nothing found');

  // Find by amount, as people write it, and by day.
  await page.getByLabel('Amount').fill('5 000');
  await page.getByLabel('From the time').fill('00:00');
  await page.getByLabel('Number, email, reference').fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'List' }).click();
  await expect(page.getByRole('table', { name: 'Find' }).getByRole('row').nth(1)).toContainText('5,000');
  await page.getByLabel('Amount').fill('much');
  await page.getByRole('button', { name: 'List' }).click();
  await expect(page.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
  await page.goto(`${ownPortal}/console/find?state=xyz&from=2026-99-99`);
  await expect(page.getByText('does not exist and was left out: State, From the day.')).toBeVisible();
  await expectSound(page, 'an address that means nothing');
});

test('CNS-9 the day is shown in figures, a chart and the chart’s table', async ({ page, ownPortal }) => {
  await paid(ownPortal, '390000431');
  await signIn(page, ownPortal, 'operator');
  await expect(page.getByRole('heading', { name: 'Today', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Money today' })).toContainText('Delivered');
  await expect(page.getByRole('img', { name: /payments in the last hour/ })).toBeVisible();
  await page.getByText('The same as a table').click();
  await expect(page.getByRole('table', { name: 'Payments a minute, last hour' }).getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Ways to pay, last hour' })).toContainText('Fanilo Money');
  await expectSoundInBothShapes(page, 'today');
});

const menus: Record<string, string[]> = {
  care: ['Today', 'Find', 'Tickets', 'Leads', 'Feedback', 'Approvals', 'My sessions'],
  finance: ['Today', 'Find', 'Leads', 'Review', 'Reconciliation', 'Approvals', 'My sessions'],
  editor: ['Approvals', 'Insight', 'Content', 'Catalogue', 'Places', 'My sessions'],
  publisher: ['Approvals', 'Insight', 'Content', 'Catalogue', 'Places', 'My sessions'],
  operator: ['Today', 'Approvals', 'Insight', 'Ways to pay', 'My sessions'],
  admin: ['Leads', 'Approvals', 'Erase a person', 'People', 'Audit', 'My sessions'],
};
for (const [person, entries] of Object.entries(menus))
  test(`CNS-2 what ${person} may not do is neither in the menu nor behind its address`, async ({ page, ownPortal }) => {
    await signIn(page, ownPortal, person);
    await showMenu(page);
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText(entries);
    const hidden = [
      ['Tickets', '/console/tickets'],
      ['Leads', '/console/leads'],
      ['Feedback', '/console/feedback'],
      ['Insight', '/console/insight'],
      ['Review', '/console/review'],
      ['Reconciliation', '/console/reconciliation'],
      ['Approvals', '/console/approvals'],
      ['Content', '/console/content'],
      ['Erase a person', '/console/erase'],
      ['Ways to pay', '/console/ways'],
      ['Catalogue', '/console/catalogue'],
      ['Places', '/console/places'],
      ['People', '/console/people'],
      ['Audit', '/console/audit'],
    ].filter(([name = '']) => !entries.includes(name));
    for (const [index, [name = '', path = '']] of hidden.entries()) {
      // The first URL by a load, the others by client-side navigation, which the same script handles.
      if (index === 0) await page.goto(`${ownPortal}${path}`);
      else await page.evaluate((address) => window.history.pushState(null, '', address), path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'This page is not part of your role' })).toBeVisible();
      await expect(page.getByText(`“${name}” is for other roles than yours (${person})`)).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: entries[0], exact: true })).toBeVisible();
    }
  });

test('CNS-3 an admin reads the audit, verifies its chain, and locks somebody out', async ({
  page,
  browser,
  ownPortal,
}) => {
  const person = 'editor';
  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await signIn(other, ownPortal, person);
  await signIn(page, ownPortal, 'admin');
  await page.goto(`${ownPortal}/console/audit`);
  await expect(page.getByRole('table').getByText('Signed in').first()).toBeVisible();
  await page.getByRole('button', { name: 'Check the chain' }).click();
  await expect(page.getByText(/All \d+ rows are as they were written/)).toBeVisible();
  await expectSoundInBothShapes(page, 'audit');
  await page.getByLabel('Who').fill(`${person}@console.example`);
  await page.getByLabel('What', { exact: true }).selectOption('Signed in');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/act=session.started/);
  await expect(page.getByRole('table').getByText('admin@console.example')).toHaveCount(0);
  await expect(page.getByRole('table').getByText(`${person}@console.example`).first()).toBeVisible();
  await page.getByLabel('Up to the day').fill('2020-01-01');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Nothing like that was done.')).toBeVisible();

  await page.goto(`${ownPortal}/console/people`);
  const row = page.getByRole('row').filter({ hasText: `${person}@console.example` });
  await expectSoundInBothShapes(page, 'people');
  await test.step('a button of one word breaks in no language', async () => {
    await page.getByRole('banner').getByRole('combobox').selectOption('Malagasy');
    const button = page.getByRole('button', { name: /^Fidirana/ }).first();
    for (const width of [360, 1280]) {
      await resize(page, { width, height: 800 });
      const lines = await button.locator('.mantine-Button-label').evaluate((label) => {
        const text = document.createRange();
        text.selectNodeContents(label);
        return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
      expect(lines, `${width} wide`).toBe(1);
    }
    await page.getByRole('banner').getByRole('combobox').selectOption('English');
  });
  await row.getByRole('button', { name: 'Keep out' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('left the company');
  await dialog.getByRole('button', { name: 'Keep out' }).click();
  await expect(row).toContainText('kept out');
  await other.reload();
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await row.getByRole('button', { name: 'Let in again' }).click();
  await dialog.getByLabel('Reason').fill('came back');
  await dialog.getByRole('button', { name: 'Let in again' }).click();
  await expect(row).not.toContainText('kept out');
  await other.context().close();
});

test.describe('at a desk', () => {
  test.use(atDesk);

  test('CNS-16 (keyboard) by keys alone: / to find, j and k from row to row, Ctrl-K to another page', async ({
    page,
    ownPortal,
  }) => {
    for (const _ of [1, 2]) await paid(ownPortal, '390000421');
    await signIn(page, ownPortal, 'finance');
    await page.goto(`${ownPortal}/console/sessions`);
    await expect(page.getByRole('heading', { name: 'My sessions' })).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('390000421');
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 found')).toBeVisible();
    await page.getByRole('button', { name: 'Find', exact: true }).last().focus();
    const links = page.getByRole('table').getByRole('link');
    await page.keyboard.press('j');
    await expect(links.first()).toBeFocused();
    await page.keyboard.press('j');
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press('k');
    await expect(links.first()).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByPlaceholder('Go to a page')).toBeFocused();
    await page.keyboard.type('Rev');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Review' })).toBeVisible();
  });
});

test('CNS-16 (three languages, 360 px, dark, axe; each page in its own spec) the console is in French and Malagasy, and keeps the chosen language', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'finance', '/console/find');
  for (const [name, title, lang] of [
    ['Français', 'Chercher', 'fr'],
    ['Malagasy', 'Hikaroka', 'mg'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expectSoundInBothShapes(page, name);
  }
});

test('finance reconciles a day, and finds its payments by filters saved under a name', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'finance', '/console/reconciliation');
  await expect(page.getByRole('heading', { name: 'Reconciliation', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Compare again' }).click();
  await expect(page.getByText(/^Compared /)).toBeVisible();
  await expect(page.getByText('Nobody paid on this day, and no provider lists anything')).toBeVisible();
  await expectSoundInBothShapes(page, 'reconciliation');

  await page.goto(`${ownPortal}/console/find?state=SUCCEEDED`);
  await expect(page.getByText(/found ·|No payment is like that/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep this view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('delivered');
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByRole('link', { name: 'Without filters' }).click();
  await page.getByRole('link', { name: 'delivered', exact: true }).click();
  await expect(page).toHaveURL(/\/console\/find\?state=SUCCEEDED$/);
  await expectSoundInBothShapes(page, 'find by filters');
  await page.getByRole('button', { name: 'Forget “delivered”' }).click();
  await expect(page.getByRole('link', { name: 'delivered', exact: true })).toHaveCount(0);
});

test('a session that ended in another tab hides customers’ data, says so once, and goes on after signing in @both', async ({
  page,
  context,
  ownPortal,
}, { project }) => {
  await paid(ownPortal, project.name === 'phone' ? '390000441' : '390000442');
  await signIn(page, ownPortal, 'care', '/console/find');
  await page.getByLabel('Number, email, reference').fill(project.name === 'phone' ? '390000441' : '390000442');
  await page.keyboard.press('Enter');
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByRole('button', { name: 'Show in full' }).first().click();
  const reason = page.getByRole('dialog').getByLabel('Reason');
  await reason.fill('the customer asks');
  const address = page.url();

  const other = await context.newPage();
  await other.goto(`${ownPortal}/console/sessions`);
  await showMenu(other);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible();

  await expect(page.getByText('You were signed out.')).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: /^Payment / })).toBeHidden();
  await expect(reason).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
  await expectSound(page, 'the session is over');
  const window = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await (await window).getByRole('button', { name: 'care@console.example' }).click();

  await expect(reason).toHaveValue('the customer asks');
  await page.getByRole('dialog').getByRole('button', { name: 'Show in full' }).click();
  await expect(facts).toContainText(project.name === 'phone' ? '39 00 004 41' : '39 00 004 42');
  expect(page.url()).toBe(address);
  await other.close();
});
