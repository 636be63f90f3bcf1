import { expect } from '@playwright/test';
import { distanceKilometres } from '../../domain/geo.ts';
import { expectSoundInBothShapes, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';
import { giveReason, importFile, openEntry, readFileOfChanges, signInElsewhere } from '../fixtures/proposals.ts';

/** On a portal of its own, because shops and towns are changed here. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' }, locale: 'en-GB' });
test.describe.configure({ mode: 'default' });

const columns = 'id,kind,title,name,latitude,longitude,address,phone,town,region';

test('CNS-10 (new entry) a file with an invalid row changes nothing, a valid one adds a shop, shown as new, once a publisher approves it', async ({
  page,
  browser,
  ownPortal,
}) => {
  const id = 'NP1';
  const title = `Boutique ${id}`;
  const row = `${id},shop,${title},${title} - Antananarivo,-18.91,47.53,Lot 5 Analakely,+261 30 00 000 98,Antananarivo,Analamanga`;
  const file = (...rows: string[]) => [columns, ...rows].join('\r\n');
  await signIn(page, ownPortal, 'editor', '/console/places');
  await expect(page.getByRole('heading', { name: 'Places', exact: true })).toBeVisible();
  await expectSoundInBothShapes(page, 'places');
  const dialog = await importFile(page, file(row, 'X9,kiosk,A,A,48.85,2.35,Rue 1,,Paris,France'));
  const wrong = dialog.getByRole('table', { name: 'What is wrong' }).getByRole('row');
  await expect(wrong.filter({ hasText: 'Kind [kind]' })).toContainText('3');
  await expect(wrong.filter({ hasText: 'not in the country' })).toContainText('3');
  await expect(dialog.getByRole('button', { name: 'Propose' })).toBeHidden();
  await readFileOfChanges(page, file(row.replace('-18.91,47.53', '-18.15,49.6')));
  await expect(dialog.getByText(/2\d\d km from Antananarivo\. Are both right\?/)).toBeVisible();
  await readFileOfChanges(page, file(row));
  await expect(dialog.getByText('1 new, 0 changed')).toBeVisible();
  await giveReason(page, 'a shop opens');

  const other = await signInElsewhere(browser, ownPortal, 'publisher', { to: '/console/approvals' });
  await other.getByRole('link', { name: `Places · ${id}` }).click();
  const changes = other.getByRole('table', { name: 'What changes' });
  await expect(changes).toContainText(title);
  await expect(changes).toContainText('new: not there yet');
  await expect(changes).not.toContainText('gone');
  await expect(changes).toContainText(/\d+(\.\d)? k?m from [A-Z]/);
  await expect(changes).not.toContainText('Are both right?');
  await expect(changes.getByRole('img', { name: 'Map' }).locator('.map-mark')).toBeVisible();
  await other.getByRole('button', { name: 'Approve' }).click();
  const approval = other.getByRole('dialog');
  await expect(approval.getByRole('table', { name: 'What changes' })).toContainText(title);
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByText('approved', { exact: true }).first()).toBeVisible();
  await other.context().close();
  await page.goto(`${ownPortal}/console/places?text=${id}`);
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(title);
  await page.goto(`${ownPortal}/store-locator?q=Antananarivo`);
  await expect(page.getByText(title).first()).toBeAttached();
});

test('CNS-12 a shop is placed within 50 m by what was pasted, by keys and by clicks, and a doubtful point is told, not refused', async ({
  page,
  ownPortal,
}) => {
  const dialog = await openEntry(page, ownPortal, 'shop', 'S0002');
  const [latitude, longitude] = [dialog.getByLabel('Latitude'), dialog.getByLabel('Longitude')];
  const map = dialog.getByRole('application', { name: 'Map' });
  const pasted = dialog.getByLabel('Coordinates or a map link');
  // The code of a shop never changes.
  await expect(dialog.getByLabel('Kind')).toBeFocused();
  const point = async () => ({ lat: Number(await latitude.inputValue()), lng: Number(await longitude.inputValue()) });

  await test.step('the shops and sites around it are on the map, and the nearest one is told', async () => {
    await expect(dialog.getByText('242 m from Antananarivo Nord 15')).toBeVisible();
    await expect(map.locator('.map-shop').first()).toBeAttached();
    await expect(map).toContainText('© GSHHG');
    await expect(map.locator('.map-site').first()).toBeAttached();
  });

  await test.step('a link is read, and one without coordinates is refused', async () => {
    await pasted.fill('https://maps.app.goo.gl/AbCdEf123');
    await pasted.press('Enter');
    await expect(dialog.getByText('There are no coordinates in it')).toBeVisible();
    await expect(latitude).toHaveValue('-18.89358');
    await pasted.fill('https://www.google.com/maps/place/Shop/@-18.9,47.4,17z/data=!3d-18.8792!4d47.5079');
    await expect(latitude).toHaveValue('-18.8792');
    await expect(longitude).toHaveValue('47.5079');
    await expect(dialog.getByText('There are no coordinates in it')).toBeHidden();
    await pasted.fill('47.5079, -18.8792');
    await expect(dialog.getByText('Read as -18.8792, 47.5079.')).toBeVisible();
    await expect(latitude).toHaveValue('-18.8792');
  });

  await test.step('an arrow key moves the point by the distance that is told', async () => {
    await map.focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('+');
    await expect(dialog.getByText('moves the point by 10 m')).toBeVisible();
    const before = await point();
    await page.keyboard.press('ArrowUp');
    await expect(latitude).not.toHaveValue(String(before.lat));
    expect(distanceKilometres(before, await point()) * 1000).toBeCloseTo(10, 0);
    await page.keyboard.press('ArrowRight');
    await expect(longitude).not.toHaveValue(String(before.lng));
    const there = await point();
    expect(there.lng).toBeGreaterThan(before.lng);
    await page.keyboard.press('Shift+ArrowRight');
    expect(await point()).toEqual(there);
  });

  await test.step('a click is exact to some metres, dragging and the wheel leave the point where it is', async () => {
    const before = await point();
    const box = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 130, { steps: 3 });
    await page.mouse.up();
    const far = dialog.getByText(/moves the point by/);
    const words = await far.textContent();
    await page.mouse.wheel(0, 100);
    await expect(far).not.toHaveText(words ?? '');
    expect(await point()).toEqual(before);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(point).not.toEqual(before);
    expect((await latitude.inputValue()).split('.')[1]?.length).toBeGreaterThanOrEqual(4);
  });

  await test.step('a point far from the town, or in the sea, is told and not refused', async () => {
    const doubts = dialog.getByRole('status').filter({ hasText: 'Are both right?' });
    await expect(doubts).toBeHidden();
    await pasted.fill('-18.15, 49.6');
    await expect(dialog.getByText('this point is in the water')).toBeVisible();
    await expect(doubts).toContainText(/2\d\d km from Antananarivo/);
    await dialog.getByRole('button', { name: 'See what changes' }).click();
    await expect(dialog.getByText('0 new, 1 changed')).toBeVisible();
  });

  await test.step('the map goes to a town by its name', async () => {
    await dialog.getByRole('button', { name: 'Show Antananarivo' }).click();
    await expect(map).toContainText('Antananarivo');
    await dialog.getByRole('combobox', { name: 'Show a town on the map' }).fill('Toamasina');
    await page.getByRole('option', { name: 'Toamasina, Atsinanana' }).click();
    await expect(map).toContainText('Toamasina');
    await expect(map).not.toContainText('Antananarivo');
  });
  await expectSoundInBothShapes(page, 'the form of a shop');
});

test('CNS-12 (pasted) pasted words are gone once the point is moved, nonsense is told at once, and a missing minus is told', async ({
  page,
  ownPortal,
}) => {
  const dialog = await openEntry(page, ownPortal, 'shop', 'S0002');
  const latitude = dialog.getByLabel('Latitude');
  const pasted = dialog.getByLabel('Coordinates or a map link');
  const map = dialog.getByRole('application', { name: 'Map' });
  const read = dialog.getByText('Read as -18.8792, 47.5079.');
  async function paste() {
    await pasted.fill('Lat: 18.8792° S, Long: 47.5079° E');
    await expect(read).toBeVisible();
    await expect(latitude).toHaveValue('-18.8792');
  }

  await paste();
  await map.press('ArrowUp');
  await expect(latitude).not.toHaveValue('-18.8792');
  await expect(pasted).toHaveValue('');
  await expect(read).toBeHidden();
  await paste();
  await latitude.fill('-18.9');
  await expect(pasted).toHaveValue('');
  await expect(read).toBeHidden();

  await paste();
  await pasted.fill('behind the market');
  await expect(dialog.getByText('There are no coordinates in it')).toBeVisible();
  await expect(pasted).toHaveAttribute('aria-invalid', 'true');
  // What was there before is still the point.
  await expect(latitude).toHaveValue('-18.8792');

  await pasted.fill('18.8792, 47.5079');
  await expect(dialog.getByText('Did you mean -18.8792, 47.5079?')).toBeVisible();
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(latitude).toBeFocused();
  await expect(latitude).toHaveAccessibleDescription(/Did you mean -18\.8792\?/);
});

test('a form asks before it discards what was typed, and only its button discards it', async ({ page, ownPortal }) => {
  await signIn(page, ownPortal, 'editor', '/console/places');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Address' });
  const question = dialog.getByRole('alert').filter({ hasText: 'Throw away what you wrote?' });
  const outside = () => page.mouse.click(3, 3);
  await name.fill('Lot 5');
  for (const leave of [() => page.keyboard.press('Escape'), outside]) {
    await leave();
    await expect(question.getByRole('button', { name: 'Go on writing' })).toBeFocused();
    await leave();
    await expect(question).toBeHidden();
    await expect(name).toHaveValue('Lot 5');
    await expect(name).toBeFocused();
  }
  await outside();
  await question.getByRole('button', { name: 'Go on writing' }).click();
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Throw away' }).click();
  await expect(dialog).toBeHidden();
});

test('a town’s form shows its point on the map, and a click or typed coordinates move it', async ({
  page,
  ownPortal,
}) => {
  const dialog = await openEntry(page, ownPortal, 'town', 'Ambanja');
  // Its name is what it is known by, and no field.
  await expect(dialog.getByRole('textbox', { name: 'Town' })).toHaveCount(0);
  const map = dialog.getByRole('application', { name: 'Map' });
  await map.scrollIntoViewIfNeeded();
  await expect(map).toContainText('Ambanja');
  await expect(map.locator('.map-mark')).toHaveCount(1);
  await dialog.getByLabel('Latitude').fill('-20');
  await expect(map.locator('.map-mark')).toHaveCount(1);
  await expect(map).not.toContainText('Ambanja');
  await expectSoundInBothShapes(page, 'the form of a town');
  const box = await map.boundingBox();
  await map.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 4 } });
  await expect(dialog.getByLabel('Latitude')).not.toHaveValue('-20');
  await dialog.getByLabel('Home broadband').selectOption('yes');
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('0 new, 1 changed')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'What changes' })).toContainText('Home broadband: yes');
});
