import { type Browser, expect, type Page } from '@playwright/test';
import { expectSound as expectSoundAt, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';

/** On a portal of its own: what is published here is read by everybody. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '90000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

/** On a phone and on a desk. */
async function expectSound(page: Page, where: string) {
  const before = page.viewportSize();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectSoundAt(page, `${where}, ${width} wide`);
  }
  if (before) await page.setViewportSize(before);
}

async function desk(browser: Browser, portal: string, person: string, to: string) {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await signIn(page, portal, person, to);
  return page;
}

async function give(page: Page, reason: string, button: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

const note = (page: Page, language = 'English') => page.getByLabel(`note (${language})`);
const save = (page: Page) => page.getByRole('button', { name: 'Save the draft' });
const kept = (page: Page) => expect(page.getByText('Kept as a draft.')).toBeVisible();

/** Somebody else than who writes: their browser has no language of its own. */
const read = async (address: string) => (await fetch(address)).text();
/** A portal keeps what it read for ten seconds. */
const customersRead = (address: string, words: string) =>
  expect.poll(() => read(address), { intervals: [500] }).toContain(words);

async function approveFirst(page: Page, portal: string) {
  await page.goto(`${portal}/console/approvals`);
  await page
    .getByRole('link', { name: /^Publication · footer/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Publication/ })).toBeVisible();
}

test('CNS-10 (writing, preview, diff, one language, roll back) an editor writes in two languages, sees the real page, a publisher compares and publishes, customers read it, and it is rolled back @desktop', async ({
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
  await expect(page.locator('iframe')).toHaveAttribute('width', '360');
  await page.getByRole('button', { name: 'Desktop' }).click();
  await expect(page.locator('iframe')).toHaveAttribute('width', '1280');
  await page.getByRole('region', { name: 'Preview' }).getByLabel('Language').selectOption('French');
  await expect(frame.getByText('Besoin d’aide ? Appelez le 300.')).toBeVisible();

  await page.getByRole('button', { name: 'Publish…' }).click();
  await expectSound(page, 'publishing');
  await page
    .getByRole('dialog')
    .getByLabel(/French/)
    .uncheck();
  await give(page, 'friendlier', 'Propose');

  const publisher = await desk(browser, ownPortal, 'publisher', '/console/approvals');
  await approveFirst(publisher, ownPortal);
  await expect(publisher.getByRole('insertion').first()).toHaveText('hand');
  await expectSound(publisher, 'a publication to approve');
  await publisher.getByRole('button', { name: 'Approve' }).click();
  await publisher.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await customersRead(ownPortal, 'Need a hand? Call 300.');
  expect(await read(`${ownPortal}/sw`)).not.toContain('Besoin d’aide');

  await publisher.goto(`${ownPortal}/console/content/footer`);
  await expect(publisher.getByText('older than another language').first()).toBeVisible();
  const versions = publisher.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: 'English' }).click();
  await expectSound(publisher, 'versions');
  await versions.getByRole('button', { name: 'Show again: 1' }).click();
  await give(publisher, 'a mistake', 'Show again');
  await customersRead(ownPortal, 'Need a person? Call 300.');
  await publisher.context().close();
});

test('CNS-10 (two who write) of two who write the same, the second is told, sees the other’s words and loses nothing @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/header');
  const other = await desk(browser, ownPortal, 'editor', '/console/content/header');
  const label = (shown: Page) => shown.getByLabel('label (English)');
  for (const shown of [page, other]) await shown.getByRole('button', { name: 'Bundles', exact: true }).click();
  await label(page).fill('Data bundles');
  await save(page).click();
  await kept(page);
  await label(other).fill('All bundles');
  await save(other).click();
  const told = other.getByRole('alert').filter({ hasText: 'editor@console.example saved a newer version' });
  await expect(told.getByRole('insertion')).toHaveText('Data bundles');
  await expect(label(other)).toHaveValue('All bundles');
  await expect(save(other)).toBeDisabled();
  await expectSound(other, 'somebody was quicker');
  await other.getByRole('button', { name: 'Go on with mine over it' }).click();
  await save(other).click();
  await kept(other);
  await other.reload();
  const versions = other.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: 'English' }).click();
  await expect(versions.getByRole('row')).toHaveCount(4);
  await other.context().close();
});

test('CNS-10 (a wrong package, lists) a wrong link is refused and its field marked, a script is taken out and that is said, an item is added and moved in all languages @desktop', async ({
  page,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/homepage');
  const items = page.getByRole('group', { name: 'links' });
  await items.getByRole('button', { name: 'Add: links' }).click();
  await items.getByRole('button', { name: 'Item 5', exact: true }).click();
  for (const language of ['English', 'French', 'Malagasy']) {
    await items.getByLabel(`Link (${language})`).fill(language === 'French' ? 'javascript:alert(1)' : '/gethelp');
    await items.getByLabel(`title (${language})`).fill(`Extra <b onclick="x()">${language}</b>`);
    await items.getByLabel(`text (${language})`).fill('More');
  }
  await save(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The fields are marked.' })).toBeVisible();
  await expect(items.getByLabel('Link (French)')).toHaveAttribute('aria-invalid', 'true');
  await expect(items.getByLabel('Link (English)')).not.toHaveAttribute('aria-invalid', 'true');
  await expectSound(page, 'a refused package');
  await items.getByLabel('Link (French)').fill('/gethelp');
  await items.getByRole('button', { name: /^Move up: Extra/ }).click();
  await save(page).click();
  await kept(page);
  await expect(page.getByRole('alert').filter({ hasText: 'was taken out of' })).toContainText(
    '/sw/homepage links[3].title',
  );
  const { body } = await (
    await page.request.get(`${ownPortal}/console/api/contentVersion?page=/mg/homepage&version=2`)
  ).json();
  expect(body.links[3]).toEqual({ title: 'Extra <b>Malagasy</b>', text: 'More', href: '/gethelp' });
});

test('CNS-10 (help, schedule) help is written as Markdown that shows as it will look, with its votes; a page is planned for a time and taken back, by keys @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  await signIn(page, ownPortal, 'editor', '/console/content/faq');
  await page.getByLabel('Search in these texts').fill('A wrong PIN ends that try');
  const answer = page.getByRole('textbox', { name: /answer.*\(English\)/ });
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
  await page.getByLabel('Page', { exact: true }).selectOption('/gethelp/pin-wrong');
  await expect(page.frameLocator('iframe').getByText('No money was taken.')).toBeVisible();

  await page.getByRole('button', { name: 'Publish…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').fill('2020-01-01T10:00');
  await expect(dialog.getByText('This time is over.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('shorter');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('From').fill('2099-01-01T10:00');
  await give(page, 'shorter', 'Propose');

  const publisher = await desk(browser, ownPortal, 'publisher', '/console/approvals');
  await publisher.getByRole('link', { name: /^Publication · faq/ }).click();
  await publisher.getByRole('button', { name: 'Approve' }).click();
  await publisher.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(publisher.getByText('planned', { exact: true })).toBeVisible();
  await publisher.goto(`${ownPortal}/console/content/faq`);
  await expect(publisher.getByText(/version 2 planned for Jan 1, 2099, 10:00:00 AM/)).toBeVisible();
  await expectSound(publisher, 'planned');
  await publisher.getByRole('button', { name: 'Take the plan back' }).click();
  await give(publisher, 'not yet', 'Take the plan back');
  await expect(publisher.getByText(/planned for/)).toHaveCount(0);
  await publisher.context().close();
});

test('CNS-10 (the preview) it is for who is signed in: its address shows nothing once they are not, is kept by nobody and framed by the console alone', async ({
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
  if (await page.getByRole('button', { name: 'Menu' }).isVisible())
    await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect((await page.request.get(preview)).status()).toBe(404);
});

test('the pages of content are in French and Malagasy too @both', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'editor', '/console/content');
  for (const [name, title, footer, saveName] of [
    ['Français', 'Contenu', 'Pied de page', 'Enregistrer le brouillon'],
    ['Malagasy', 'Votoaty', 'Faran’ny pejy', 'Hitahiry ny volavola'],
  ] as const) {
    await page.goto(`${ownPortal}/console/content`);
    await page.getByRole('banner').getByRole('combobox').selectOption(name);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectSoundAt(page, `${name}, all content`);
    await page.getByRole('link', { name: footer }).click();
    await expect(page.getByRole('button', { name: saveName })).toBeVisible();
    await expectSoundAt(page, `${name}, a package`);
  }
});
