import { expect, type Page } from '@playwright/test';
import { atDesk, expectSoundInBothShapes as expectSound, nextRelease, showMenu, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { approve, giveReason, signInElsewhere } from '../fixtures/proposals.ts';
import { resize } from '../fixtures/resize.ts';

/** On a portal of its own, because published content affects everybody. */
test.use({ ...atDesk, ownSettings: { RATE_LIMIT_SCALE: '90000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

const note = (page: Page, language = 'English') => page.getByLabel(`note (${language})`);
const save = (page: Page) => page.getByRole('button', { name: 'Save the draft' });
const kept = (page: Page) => expect(page.getByText('Kept as a draft.')).toBeVisible();

/** Fetches a page as another visitor, without a language preference. */
const read = async (address: string) => (await fetch(address)).text();
/** A portal caches content for ten seconds. */
const customersRead = (address: string, words: string) =>
  expect.poll(() => read(address), { intervals: [500] }).toContain(words);

async function approveFirst(page: Page, portal: string) {
  await page.goto(`${portal}/console/approvals`);
  await page
    .getByRole('link', { name: /^Publication · Footer/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Publication/ })).toBeVisible();
}

test('CNS-10 (writing, preview, diff, one language, roll back) an editor writes in two languages and previews the real page, a publisher compares and publishes, customers see it, and it is rolled back', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content');
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Footer' })).toContainText('Version 1, since');
  await expectSound(page, 'all content');
  await page.getByRole('link', { name: 'Footer' }).click();

  await expect(note(page)).toHaveValue('Need a person? Call 300.');
  await note(page).fill('Need a hand? Call 300.');
  await note(page, 'French').fill('Besoin d’aide ? Appelez le 300.');
  await expect(page.getByText('Not saved yet: 2')).toBeVisible();
  // Leaving asks for confirmation, also by Back; cancelling keeps everything.
  const answers = [false, false];
  page.on('dialog', (dialog) => (answers.shift() ? dialog.accept() : dialog.dismiss()));
  await page.goBack();
  await expect.poll(() => answers.length).toBe(1);
  await expect(page).toHaveURL(/\/content\/footer$/);
  await expect(note(page)).toHaveValue('Need a hand? Call 300.');
  await page.getByRole('navigation').getByRole('link', { name: 'Content' }).click();
  await expect.poll(() => answers.length).toBe(0);
  await expect(note(page)).toHaveValue('Need a hand? Call 300.');
  await page.getByRole('button', { name: 'Services', exact: true }).click();
  await expect(page.getByLabel('title (Malagasy)').first()).toBeVisible();
  await expectSound(page, 'a package being written');
  await save(page).click();
  await kept(page);
  const changes = page.getByRole('region', { name: 'What would change' });
  await expect(changes.getByRole('insertion').first()).toHaveText('hand');
  await expect(changes.getByRole('deletion').first()).toHaveText('person');
  await expectSound(page, 'what would change');
  expect(await read(ownPortal)).not.toContain('Need a hand?');

  await page.getByRole('button', { name: 'Show the page' }).click();
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('Need a hand? Call 300.')).toBeVisible();
  await expect
    .poll(() =>
      page
        .frameLocator('iframe')
        .locator('body')
        .evaluate((body) => body.clientWidth),
    )
    .toBe(360);
  await test.step('on a phone all of its width is seen', async () => {
    const before = page.viewportSize();
    await resize(page, { width: 360, height: 740 });
    const beyond = () => page.locator('.frame').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(beyond).toBe(0);
    expect(await frame.locator('body').evaluate(({ clientWidth }) => clientWidth)).toBe(360);
    if (before) await resize(page, before);
  });
  await page.getByRole('button', { name: 'Desktop' }).click();
  await expect
    .poll(() =>
      page
        .frameLocator('iframe')
        .locator('body')
        .evaluate((body) => body.clientWidth),
    )
    .toBe(1280);
  await page.getByRole('region', { name: 'Preview' }).getByLabel('Language').selectOption('French');
  await expect(frame.getByText('Besoin d’aide ? Appelez le 300.')).toBeVisible();

  await page.getByRole('button', { name: 'Publish…' }).click();
  await expectSound(page, 'publishing');
  await page
    .getByRole('dialog')
    .getByLabel(/French/)
    .uncheck();
  await giveReason(page, 'friendlier', 'Propose');
  // Who comes back later sees that it was proposed.
  await page.reload();
  const standing = page.getByRole('region', { name: 'What customers see' });
  await expect(standing).toContainText(
    'Waits for a second person · Footer (English) · proposed by editor@console.example',
  );

  const publisher = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals' });
  await approveFirst(publisher, ownPortal);
  await expect(publisher.getByRole('insertion').first()).toHaveText('hand');
  await expect(
    publisher.getByText('Customers see the new version of Footer (English) once it is approved.'),
  ).toBeVisible();
  await publisher.getByRole('button', { name: 'Show the page' }).click();
  await expect(publisher.frameLocator('iframe').getByText('Need a hand? Call 300.')).toBeVisible();
  // Nothing of a language that is not proposed.
  await publisher.getByRole('region', { name: 'Preview' }).getByLabel('Language').selectOption('French');
  await expect(publisher.frameLocator('iframe').getByText('Besoin d’aide ? Appelez le 300.')).toHaveCount(0);
  await expectSound(publisher, 'a publication to approve');
  await publisher.getByRole('button', { name: 'Approve' }).click();
  const asked = publisher.getByRole('dialog');
  await expect(asked.getByRole('insertion').first()).toHaveText('hand');
  await expect(asked.getByRole('deletion').first()).toHaveText('person');
  await expectSound(publisher, 'a publication about to be approved');
  await asked.getByRole('button', { name: 'Approve' }).click();
  await customersRead(ownPortal, 'Need a hand? Call 300.');
  expect(await read(`${ownPortal}/sw`)).not.toContain('Besoin d’aide');

  await publisher.goto(`${ownPortal}/console/content/footer`);
  await expect(publisher.getByText('older than another language').first()).toBeVisible();
  const versions = publisher.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: 'English' }).click();
  await expectSound(publisher, 'versions');
  await versions.getByRole('button', { name: 'Show again: 1' }).click();
  await giveReason(publisher, 'a mistake', 'Show again');
  await customersRead(ownPortal, 'Need a person? Call 300.');
  await publisher.context().close();
});

test('CNS-10 (concurrent edits) the second of two editors is told, gets the changes of the first, chooses where both changed a field, and loses nothing', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/header');
  const other = await signInElsewhere(browser, ownPortal, 'editor', { to: '/console/content/header' });
  const label = (shown: Page) => shown.getByLabel('label (English)').first();
  const link = (shown: Page) => shown.getByLabel('Link (English)').first();
  for (const shown of [page, other]) await shown.getByRole('button', { name: 'Bundles', exact: true }).click();
  await label(page).fill('Data bundles');
  await link(page).fill('/bundles#data');
  await save(page).click();
  await kept(page);
  await label(other).fill('All bundles');
  await save(other).click();
  const told = other.getByRole('alert').filter({ hasText: 'editor@console.example saved a newer version' });
  const asked = told.getByRole('radiogroup', { name: /Bundles › Label$/ });
  await expect(asked.getByRole('insertion')).toHaveText(['Data bundles', 'All bundles']);
  await expect(told.getByRole('radiogroup')).toHaveCount(1);
  await expect(told).toBeFocused();
  await expect(told.getByText('saved a newer version')).toBeInViewport();
  await expect(label(other)).toHaveValue('All bundles');
  await expect(save(other)).toBeDisabled();
  await expect(told.getByRole('button', { name: 'Put both together' })).toBeDisabled();
  await expectSound(other, 'somebody was quicker');
  await asked.getByLabel('What I wrote').check();
  await told.getByRole('button', { name: 'Put both together' }).click();
  await expect(save(other)).toBeFocused();
  await expect(label(other)).toHaveValue('All bundles');
  await expect(link(other)).toHaveValue('/bundles#data');
  await save(other).click();
  await kept(other);
  await other.reload();
  const versions = other.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: 'English' }).click();
  await expect(versions.getByRole('row')).toHaveCount(4);
  await other.context().close();
});

test('CNS-10 (gaps) an empty title is marked, listed before publishing and refused; a removed category is restored', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/privacy-policy');
  const title = page.getByLabel('Title (English)', { exact: true });
  await title.fill('');
  await save(page).click();
  await kept(page);
  await expect(page.getByText('these texts have to be written: Title (English)')).toBeVisible();
  await expect(title).toHaveAccessibleDescription(/This says nothing/);
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('a new title');
  await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('This cannot be shown as it is');

  await page.goto(`${ownPortal}/console/content/faq`);
  const remove = page.getByRole('button', { name: /^Remove: / });
  await expect(remove.first()).toBeVisible();
  const before = await remove.count();
  const name = ((await remove.first().getAttribute('aria-label')) ?? '').replace('Remove: ', '');
  // The next one does not open in its place.
  const heading = page.getByRole('main').locator('.disclosure > button').first();
  await heading.click();
  await expect(heading).toHaveAttribute('aria-expanded', 'true');
  await remove.first().click();
  await expect(remove).toHaveCount(before - 1);
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
  await expect(heading).toBeFocused();
  await page.getByRole('button', { name: `Put “${name}” back` }).click();
  await expect(heading).toHaveAttribute('aria-expanded', 'true');
  await expect(heading).toBeFocused();
  await heading.click();
  await expect(remove).toHaveCount(before);
  await expect(remove.first()).toHaveAccessibleName(`Remove: ${name}`);
  await expect(page.getByRole('button', { name: /^Put “/ })).toHaveCount(0);
});

test('CNS-10 (release) after a release published content stays, and the release’s newer texts are compared and taken over in the form', async ({
  page,
  browser,
  ownPortal,
  ownStack,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/contact-us');
  const title = page.getByLabel(/^title \(English\)$/i);
  await title.fill('Talk to us');
  await save(page).click();
  await kept(page);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await giveReason(page, 'friendlier', 'Propose');
  const publisher = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals' });
  await publisher.getByRole('link', { name: /^Publication · Contact us/ }).click();
  await approve(publisher);
  await customersRead(`${ownPortal}/contact-us`, 'Talk to us');
  await publisher.context().close();

  await nextRelease(ownStack, '/contact-us');
  await page.goto(`${ownPortal}/console/content`);
  await expect(page.getByRole('row').filter({ hasText: 'Contact us' })).toContainText(
    'the release has newer words (3)',
  );
  await expectSound(page, 'newer words in the list');
  expect(await read(`${ownPortal}/contact-us`)).toContain('Talk to us');
  await page.getByRole('link', { name: 'Contact us' }).click();
  await expect(page.getByText('What you published stays until you decide otherwise.')).toBeVisible();
  await page.getByRole('button', { name: 'What the release says otherwise (English)' }).click();
  await expect(page.getByRole('insertion').first()).toContainText('Contact');
  await expectSound(page, 'what a release says otherwise');
  const take = page.getByRole('button', { name: 'Take the release’s words into the form (English)' });
  await title.fill('Written before');
  await take.click();
  const asked = page.getByRole('dialog', { name: 'Throw away what you wrote?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(title).toHaveValue('Written before');
  await take.click();
  await asked.getByRole('button', { name: 'Throw away' }).click();
  await expect(title).toHaveValue('Contact us');
  await save(page).click();
  await kept(page);
});

test('CNS-10 (invalid package, lists) a wrong link is refused at its field, a script is removed with a notice, an item is added and moved in all languages', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/homepage');
  const items = page.getByRole('group', { name: 'links' });
  await items.getByRole('button', { name: 'Add: links' }).click();
  await expect(items.getByRole('button', { name: 'Item 5', exact: true })).toHaveAttribute('aria-expanded', 'true');
  for (const language of ['English', 'French', 'Malagasy']) {
    await items.getByLabel(`Link (${language})`).fill(language === 'French' ? 'javascript:alert(1)' : '/gethelp');
    await items.getByLabel(`title (${language})`).fill(`Extra <b onclick="x()">${language}</b>`);
    await items.getByLabel(`text (${language})`).fill(language === 'Malagasy' ? '{nobody}' : 'More');
  }
  await save(page).click();
  // All that is wrong, of every language, at once.
  const refused = page.getByRole('alert').filter({ hasText: 'The fields are marked.' });
  await expect(refused.getByRole('listitem')).toHaveText([
    /Link \(French\): A link begins with/,
    /text \(Malagasy\): \{nobody\}: nothing fills this in/i,
  ]);
  await expect(items.getByLabel('text (Malagasy)')).toHaveAttribute('aria-invalid', 'true');
  await expect(items.getByLabel('Link (French)')).toHaveAttribute('aria-invalid', 'true');
  await expect(items.getByLabel('Link (English)')).not.toHaveAttribute('aria-invalid', 'true');
  await expectSound(page, 'a refused package');
  await items.getByLabel('Link (French)').fill('/gethelp');
  await items.getByLabel('text (Malagasy)').fill('More');
  await items.getByRole('button', { name: /^Move up: Extra/ }).click();
  await save(page).click();
  await kept(page);
  await expect(page.getByRole('alert').filter({ hasText: 'was taken out of' })).toContainText(
    /Links › Extra .* › Title \(French\)/,
  );
  const { body } = await (
    await page.request.get(`${ownPortal}/console/api/contentVersion?page=/mg/homepage&version=2`)
  ).json();
  expect(body.links[3]).toEqual({ title: 'Extra Malagasy', text: 'More', href: '/gethelp' });
});

test('CNS-10 (invalid package, focus) a new item opens at its first field, a refused save opens and focuses the wrong field, and no button takes the focus along when it disappears', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/homepage');
  const items = page.getByRole('group', { name: 'links' });
  const headings = items.locator('.disclosure > button');
  await expect(headings.first()).toBeVisible();
  const count = await headings.count();
  await items.getByRole('button', { name: 'Add: links' }).click();
  await expect(headings).toHaveCount(count + 1);
  // Only the new item is open.
  await expect(items.getByRole('textbox').first()).toBeFocused();
  for (const language of ['English', 'French', 'Malagasy']) {
    await items.getByLabel(`title (${language})`).fill('Last');
    await items.getByLabel(`text (${language})`).fill('More');
    await items.getByLabel(`Link (${language})`).fill(language === 'French' ? 'javascript:alert(1)' : '/gethelp');
  }
  const link = items.getByLabel('Link (French)');
  const last = headings.last();

  await test.step('a closed item with a wrong field is opened, also where a search hides it', async () => {
    await last.click();
    await expect(link).toBeHidden();
    await save(page).click();
    await expect(link).toBeFocused();
    await expect(link).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Search in these texts').fill('nothing says this');
    await expect(link).toBeHidden();
    await save(page).click();
    await expect(link).toBeFocused();
  });

  await test.step('removing and putting back', async () => {
    await items.getByRole('button', { name: 'Remove: Last' }).click();
    await expect(headings).toHaveCount(count);
    await expect(last).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: '“Last” was removed, in every language.' })).toBeVisible();
    await page.getByRole('button', { name: 'Put “Last” back' }).click();
    await expect(last).toHaveText(/Last/);
    await expect(last).toBeFocused();
    await expect(last).toHaveAttribute('aria-expanded', 'true');
    await expect(link).toBeVisible();
  });

  await test.step('moving to an end, where the button can no longer be pressed', async () => {
    for (let at = count; at > 0; at -= 1) await items.getByRole('button', { name: 'Move up: Last' }).click();
    await expect(headings.first()).toHaveText(/Last/);
    await expect(items.getByRole('button', { name: 'Move down: Last' })).toBeFocused();
  });

  await test.step('discarding', async () => {
    const discard = page.getByRole('button', { name: 'Discard what I wrote' });
    const dialog = page.getByRole('dialog', { name: 'Throw away what you wrote?' });
    await discard.click();
    await expectSound(page, 'asked whether to discard');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(headings).toHaveCount(count + 1);
    await expect(discard).toBeFocused();
    await discard.click();
    await dialog.getByRole('button', { name: 'Throw away' }).click();
    await expect(headings).toHaveCount(count);
    await expect(page.getByLabel('Search in these texts')).toBeFocused();
  });
});

test('CNS-10 (help, schedule) help is written as Markdown with a live preview and its votes; by keyboard a page is scheduled and the schedule cancelled', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/faq');
  await page.getByLabel('Search in these texts').fill('A wrong PIN ends that try');
  const answer = page.getByRole('textbox', { name: /Answer.*\(English\)/ });
  await answer.fill('No **money** was taken.');
  await expect(page.getByRole('region', { name: /As it will look.*English/ }).locator('strong')).toHaveText('money');
  await expectSound(page, 'an answer');
  await page.getByLabel('Search in these texts').fill('');
  await page.getByRole('button', { name: 'PIN and blocked wallet', exact: true }).click();
  await page.getByRole('button', { name: 'Wrong PIN', exact: true }).click();
  await page.getByRole('button', { name: 'I typed a wrong PIN. Was money taken?', exact: true }).click();
  await expect(page.getByText('Nobody has voted on this answer yet.')).toBeVisible();
  await save(page).focus();
  await page.keyboard.press('Enter');
  await kept(page);

  await page.getByRole('button', { name: 'Show the page' }).click();
  // It opens at the answer that was changed.
  await expect(page.getByLabel('Page', { exact: true })).toHaveValue('/gethelp/pin-wrong');
  await expect(page.frameLocator('iframe').getByText('No money was taken.')).toBeVisible();

  await page.getByRole('button', { name: 'Publish…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').fill('2020-01-01T10:00');
  await expect(dialog.getByText('This time is over.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('shorter');
  const [refused] = await Promise.all([
    page.waitForResponse(/publishContent/),
    dialog.getByRole('button', { name: 'Propose' }).click(),
  ]);
  expect(refused.status()).toBe(422);
  // At its field, and nowhere else.
  await expect(dialog.getByRole('button', { name: 'Propose' })).toBeEnabled();
  await expect(dialog.getByLabel('From')).toHaveAccessibleDescription(/This time is over\./);
  await expect(dialog.getByText(/ is over|in the past|has passed/)).toHaveCount(1);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  const year = new Date().getFullYear() + 1;
  await dialog.getByLabel('From').fill(`${year}-01-01T10:00`);
  await giveReason(page, 'shorter', 'Propose');

  const publisher = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals' });
  const waiting = publisher.getByRole('link', { name: /^Publication · Help/ });
  await expect(waiting).toContainText(`from 1 Jan ${year}, 10:00:00`);
  await waiting.click();
  await expect(
    publisher.getByText(
      `Customers see the new version of Help: questions and answers (English) from 1 Jan ${year}, 10:00:00 on.`,
    ),
  ).toBeVisible();
  await approve(publisher, 'planned');
  await expect(
    publisher.getByRole('main').getByText('A new version of Help: questions and answers (English) for customers.'),
  ).toBeVisible();
  await publisher.goto(`${ownPortal}/console/content/faq`);
  await expect(publisher.getByText(new RegExp(`version 2 planned for 1 Jan ${year}, 10:00:00`))).toBeVisible();
  await expectSound(publisher, 'planned');
  await publisher.getByRole('button', { name: 'Take the plan back' }).click();
  await giveReason(publisher, 'not yet', 'Take the plan back');
  await expect(publisher.getByText(/planned for/)).toHaveCount(0);
  await publisher.context().close();
});

test('CNS-10 (preview) a preview’s URL shows nothing after sign-out, is never cached, and is framed by the console only', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/footer');
  const address = async () => {
    const answer = await page.request.get(`${ownPortal}/console/api/contentPreview?drafts=%2Ffooter%201&at=%2F`);
    return `${ownPortal}${(await answer.json()).address}`;
  };
  const preview = await address();
  const device = await page.request.get(
    `${ownPortal}/console/api/contentPreview?drafts=%2Fsw%2Flead-device%201&at=%2Fsw%2Fhbb-lead`,
  );
  const lead = await page.request.get(ownPortal + (await device.json()).address);
  expect(await lead.text()).toContain('Antenne 5G extérieure');
  const shown = await page.request.get(preview);
  expect(shown.status()).toBe(200);
  const headers = shown.headers();
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-robots-tag']).toBe('noindex');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'.*frame-ancestors 'self'.*sandbox allow-same-origin$/,
  );
  expect(headers['set-cookie']).toBeUndefined();
  expect(await shown.text()).not.toMatch(/<script/);
  expect((await page.request.get(`${ownPortal}/content-preview?draft=made-up`)).status()).toBe(404);
  expect((await page.request.get(ownPortal)).headers()['x-frame-options']).toBe('DENY');
  await showMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect((await page.request.get(preview)).status()).toBe(404);
});

test('CNS-10 (lists that differ) a link that one language lacks is an empty cell of its row, and each button acts on the same link in every language', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/header');
  const found = await (await page.request.get(`${ownPortal}/console/api/content?name=header`)).json();
  const english = found.pages.find((one: { page: string }) => one.page === '/header');
  const links = english.shownBody.links.filter(({ href }: { href: string }) => href !== '/data-bundle');
  const drafts = [{ page: '/header', seen: english.newest, body: { ...english.shownBody, links } }];
  const saved = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/console/api/saveContent', { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.status;
    },
    { drafts },
  );
  expect(saved).toBe(200);
  await page.reload();
  const items = page.getByRole('group', { name: 'links' });
  const row = items.getByRole('button', { name: 'Forfaits missing: English', exact: true });
  await row.click();
  await expect(items.getByLabel('label (French)')).toHaveValue('Forfaits');
  await expect(items.getByLabel('label (English)')).toHaveValue('');
  await expect(items.getByLabel('label (English)')).toHaveAccessibleDescription('missing in this language');
  await expectSound(page, 'a link that one language lacks');
  await row.click();
  await items.getByRole('button', { name: 'Bill', exact: true }).click();
  await expect(items.getByLabel('label (English)')).toHaveValue('Bill');
  await expect(items.getByLabel('Link (French)')).toHaveValue('/postpaid-bill-pay');

  await items.getByRole('button', { name: 'Bill', exact: true }).click();
  await items.getByRole('button', { name: 'Remove: Bill', exact: true }).click();
  await items.getByRole('button', { name: 'Forfaits missing: English', exact: true }).click();
  await items.getByLabel('label (English)').fill('Bundles');
  await expect(items.getByLabel('Link (English)')).toHaveValue('/data-bundle');
  await save(page).click();
  await kept(page);
  const after = await (await page.request.get(`${ownPortal}/console/api/content?name=header`)).json();
  for (const { body } of after.pages)
    expect(body.links.map(({ href }: { href: string }) => href)).toEqual([
      ...['/prepaid-recharge', '/data-bundle', '/store-locator'],
    ]);
});

test('CNS-10 (tables, too late) a table is not offered and its address leads to Places; a proposal whose time has passed waits for nobody', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content');
  await expect(page.getByRole('row').filter({ hasText: 'Footer' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Sites of the network' })).toHaveCount(0);
  await page.goto(`${ownPortal}/console/content/fetch-sites-data-5g`);
  const main = page.getByRole('main');
  await expect(main.getByText('This is a table: it is changed under Places.')).toBeVisible();
  await expectSound(page, 'a table by its address');
  await main.getByRole('link', { name: 'Places' }).click();
  await expect(page).toHaveURL(/\/places\?table=sites$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Places' })).toBeVisible();

  // As the portal answers once the planned time has come.
  await page.route('**/console/api/approvals?*', (route) =>
    route.fulfill({
      json: {
        next: null,
        proposals: [
          {
            ...{ id: 'x', kind: 'publication', subject: { kind: 'content', id: '/footer' }, name: 'footer (EN)' },
            ...{ amount: null, currency: null, reason: 'for noon', state: 'open', proposedBy: 'other@console.example' },
            ...{ proposedAt: '2026-01-01T10:00:00Z', expiresAt: '2026-01-01T12:00:00Z', decidedBy: null },
            ...{ decidedAt: null, note: null, outcome: null, overtaken: { code: 'timePassed', parameters: {} } },
          },
        ],
      },
    }),
  );
  await page.goto(`${ownPortal}/console/content/footer`);
  const standing = page.getByRole('region', { name: 'What customers see' });
  await expect(standing).toContainText('Its time has passed: it came too late.');
  await expect(standing).toContainText('The proposal · Footer (English) · proposed by other@console.example');
  await expect(standing).not.toContainText('Waits for a second person');
  await expectSound(page, 'a proposal that came too late');
});

test('the content pages are in French and Malagasy', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'editor', '/console/content');
  for (const [name, title, footer, saveName] of [
    ['Français', 'Contenu', 'Pied de page', 'Enregistrer le brouillon'],
    ['Malagasy', 'Votoaty', 'Faran’ny pejy', 'Hitahiry ny volavola'],
  ] as const) {
    await page.goto(`${ownPortal}/console/content`);
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectSound(page, `${name}, all content`);
    await page.getByRole('link', { name: footer }).click();
    await expect(page.getByRole('button', { name: saveName })).toBeVisible();
    await expectSound(page, `${name}, a package`);
  }
});
