import { expect, type Page } from '@playwright/test';
import { expectNoViolations } from '../fixtures/axe.ts';
import { expectSoundInBothShapes, find, paid, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { resize } from '../fixtures/resize.ts';
import { sandbox } from '../fixtures/sandbox.ts';

test.use({
  ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', SERVICE_WORKER: 'off' },
  locale: 'en-GB',
});

const question = (page: Page) => page.locator('#question');

async function numberOf(page: Page): Promise<string> {
  await expect(question(page)).toContainText('Your question');
  return /Your question (\S+)/.exec(await question(page).innerText())?.[1] ?? '';
}

async function ask(page: Page, text: string) {
  await question(page).getByRole('textbox').fill(text);
  await question(page).getByRole('button', { name: 'Send' }).click();
}

test('NOS-4 text typed into a ticket form is kept, also when its script arrives after the page has been hydrated', async ({
  page,
  ownPortal,
}) => {
  const id = await paid(ownPortal, '390000607');
  const shown = async () => (await fetch(`${ownPortal}/payment/status?id=${id}`)).text();
  await expect.poll(shown).toContain('data-money="delivered"');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/question[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${ownPortal}/payment/status?id=${id}`);
  await page.locator('html[data-hydrated]').waitFor();
  const box = question(page).getByRole('textbox');
  await box.fill('Where is my credit?');
  release();
  await expect(box).toHaveValue('Where is my credit?');
  await question(page).getByRole('button', { name: 'Send' }).click();
  await expect(question(page)).toContainText('We have your message.');
  await expect(question(page)).toContainText('Where is my credit?');
});

test('TKT-1 TKT-2 a customer asks on the status page, care answers in the console, and both go on there', async ({
  page,
  browser,
  ownPortal,
}) => {
  const payer = '390000601';
  // Paid in this browser; a stranger's ticket is not answered by SMS.
  await page.goto(ownPortal);
  const cookies = await page.context().cookies(ownPortal);
  const id = await paid(ownPortal, payer, { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') });
  await page.goto(`${ownPortal}/payment/status?id=${id}`);
  await expect(question(page)).toContainText('We answer within 24 hours');
  await expectNoViolations(page, 'a payment to ask about');
  await ask(page, 'x');
  await expect(question(page)).toContainText('Please write a few words more');
  await ask(page, 'Where is my credit?');
  await expect(question(page)).toContainText('We have your message.');
  await expect(question(page)).toContainText('We answer by');
  const number = await numberOf(page);
  expect(number).toMatch(/^\w{4}-\w{4}$/);
  await expectNoViolations(page, 'a question');

  const desk = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await resize(desk, page.viewportSize() ?? { width: 1280, height: 800 });
  await signIn(desk, ownPortal, 'care', '/console/tickets');
  await expect(desk.getByRole('heading', { name: 'Tickets' })).toBeVisible();
  await expectSoundInBothShapes(desk, 'tickets');
  await desk.getByRole('link', { name: number }).click();
  const conversation = desk.getByRole('region', { name: 'Conversation' });
  await expect(conversation).toContainText('Where is my credit?');
  await expect(desk.getByText('It was not opened in the browser that paid.')).toHaveCount(0);
  await desk.getByRole('textbox', { name: 'Answer' }).fill('It came at noon.');
  await expectSoundInBothShapes(desk, 'a ticket');
  await desk.getByRole('button', { name: 'Send the answer' }).click();
  await expect(conversation).toContainText('care@console.example');

  await expect.poll(async () => (await sandbox.messages(payer, ownPortal)).join()).toContain(`question ${number}`);
  await page.reload();
  await expect(question(page)).toContainText('We answered');
  await expect(question(page)).toContainText('It came at noon.');
  await ask(page, 'I see it, thank you.');
  await expect(question(page)).toContainText('I see it, thank you.');

  await desk.reload();
  await expect(conversation).toContainText('I see it, thank you.');
  await desk.getByRole('button', { name: 'Mark as solved' }).click();
  await expect(desk.getByRole('button', { name: 'Open it again' })).toBeVisible();
  await page.reload();
  await expect(question(page)).toContainText('Solved');

  await find(desk, ownPortal, number);
  await expect(desk.getByRole('heading', { name: `Ticket ${number}` })).toBeVisible();
  await desk.getByRole('region', { name: 'The payment it is about' }).getByRole('link').click();
  const story = desk.getByRole('region', { name: 'Story' });
  for (const words of [
    'The customer opened a ticket',
    'Answered the customer',
    'Told the payer that customer care wrote',
  ])
    await expect(story).toContainText(words);
  // No internal code is shown.
  await expect(story).not.toContainText(/careWrote|accepted|\ballow\b|way\.sms/);
  await expectSoundInBothShapes(desk, 'a story');
  await desk.context().close();
});

test('the second of two concurrent answers is told, and its text is kept', async ({ page, browser, ownPortal }) => {
  const id = await paid(ownPortal, '390000603');
  await page.goto(`${ownPortal}/payment/status?id=${id}`);
  await ask(page, 'Hello?');
  const number = await numberOf(page);
  const desk = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await signIn(desk, ownPortal, 'care', '/console/find');
  await find(desk, ownPortal, number);
  await expect(desk.getByRole('heading', { name: `Ticket ${number}` })).toBeVisible();
  // Prevent the page's polling every ten seconds.
  await desk.route('**/console/api/ticket?*', () => {});
  await ask(page, 'One more thing.');
  await expect(question(page)).toContainText('One more thing.');
  await desk.getByRole('textbox', { name: 'Answer' }).fill('Good day.');
  await desk.getByRole('button', { name: 'Send the answer' }).click();
  await expect(desk.getByRole('alert')).toContainText('Somebody else changed it meanwhile.');
  await expect(desk.getByRole('textbox', { name: 'Answer' })).toHaveValue('Good day.');
  await desk.context().close();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('TKT-1 a ticket is opened by a form, which answers with the page', async ({ page, ownPortal }) => {
    const id = await paid(ownPortal, '390000605');
    for (const [prefix, send, heard] of [
      ['', 'Send', 'We have your message.'],
      ['/sw', 'Envoyer', 'Nous avons votre message.'],
      ['/mg', 'Alefaso', 'Voarainay ny hafatrao.'],
    ] as const) {
      const address = new URL(page.url() === 'about:blank' ? ownPortal : page.url());
      await page.goto(
        `${ownPortal}${prefix}/payment/status?id=${id}&ask=1&ticket=${address.searchParams.get('ticket') ?? ''}`,
      );
      await question(page).getByRole('textbox').fill('x');
      await question(page).getByRole('button', { name: send }).click();
      await expect(question(page).getByRole('textbox')).toHaveValue('x');
      await question(page).getByRole('textbox').fill(`Where is my credit? ${prefix}`);
      await question(page).getByRole('button', { name: send }).click();
      await expect(question(page)).toContainText(heard);
      await expect(question(page)).toContainText(`Where is my credit? ${prefix}`.trim());
    }
  });
});
