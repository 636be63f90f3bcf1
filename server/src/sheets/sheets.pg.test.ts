import { callPath } from '@portal/contract/calls.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Portal } from '../app.ts';
import { signIn } from '../testing/console.ts';
import { type SeveralPortals, severalPortals } from '../testing/several-portals.fixture.ts';

let world: SeveralPortals;
beforeAll(async () => {
  world = await severalPortals(2);
});
afterAll(() => world.stop());

async function priceIn({ http }: Portal): Promise<number> {
  const payload = { data: { serviceType: 'DATA' } };
  const answer = await http.inject({ method: 'POST', url: callPath('bundles'), payload });
  const sold = answer.json().result as { productCode: string; amount: number }[];
  return sold.find(({ productCode }) => productCode === 'D1G7')?.amount ?? 0;
}
const everywhere = () => Promise.all(world.portals.map(({ portal }) => priceIn(portal)));

async function changePrice(price: number) {
  const http = world.portals[0]?.portal.http as Portal['http'];
  const [editor, publisher] = [
    await signIn(http, 'editor@console.example'),
    await signIn(http, 'publisher@console.example'),
  ];
  const source = {
    ...{ kind: 'file' as const, isWhole: false, from: null },
    file: Buffer.from(`code,price\nD1G7,${price}`).toString('base64'),
  };
  const { digest } = (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
  const asked = { sheet: 'catalogue' as const, source, digest, reason: 'new tariff' };
  const { proposal: id } = (await editor.call('proposeSheet', asked)).result;
  const { digest: shown } = (await publisher.call('approval', { id })).result;
  expect((await publisher.call('approve', { id, digest: shown })).status).toBe(200);
}

test('a price that is approved in one process holds in all, without a restart, and in one that starts afterwards', async () => {
  expect(await everywhere()).toEqual([5_000, 5_000]);
  await changePrice(5_500);
  await expect.poll(everywhere).toEqual([5_500, 5_500]);
  await world.another();
  expect(await everywhere()).toEqual([5_500, 5_500, 5_500]);
});

test('a process that lost the connection it hears by sells at the right price all the same', async () => {
  await world.deafen();
  await changePrice(5_600);
  await expect.poll(everywhere).toEqual(world.portals.map(() => 5_600));
});
