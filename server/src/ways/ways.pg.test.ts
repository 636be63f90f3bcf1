import { callPath } from '@portal/contract/calls.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Portal } from '../app.ts';
import { approveAs, signIn } from '../testing/console.ts';
import { type SeveralPortals, severalPortals } from '../testing/several-portals.fixture.ts';

let world: SeveralPortals;
beforeAll(async () => {
  world = await severalPortals(2);
});
afterAll(() => world.stop());

async function isOffered({ http }: Portal): Promise<boolean> {
  const payload = { amount: 1_000, transactionType: 'PREPAID_RECHARGE' };
  const answer = await http.inject({ method: 'POST', url: callPath('paymentOptions'), payload });
  return answer.json().result.paymentOption.some((way: { paymentMode: string }) => way.paymentMode === 'FANILO_MONEY');
}
const everywhere = () => Promise.all(world.portals.map(({ portal }) => isOffered(portal)));

async function switchWallet(isOff: boolean) {
  const [first] = world.portals;
  const operator = await signIn(first?.portal.http as Portal['http'], 'operator@console.example');
  const way = (await operator.call('ways')).result.ways.find(({ gateway }) => gateway === 'wallet');
  const change = { gateway: 'wallet', texts: {}, version: way?.version ?? 0, reason: 'for the test' };
  const { status, result } = await operator.call('switchWay', { ...change, isOff });
  expect(status).toBe(200);
  if (result.proposal)
    await approveAs(first?.portal.http as Portal['http'], 'operator2@console.example', result.proposal);
}

test('CNS-8 (several processes; what is refused, and the pages, beside it) a way that is switched in one process is off and on in all, without a restart, and in one that starts afterwards', async () => {
  expect(await everywhere()).toEqual([true, true]);
  await switchWallet(true);
  await expect.poll(everywhere).toEqual([false, false]);
  await world.another();
  expect(await everywhere()).toEqual([false, false, false]);
  await switchWallet(false);
  await expect.poll(everywhere).toEqual([true, true, true]);
});

test('a process that lost the connection it hears by knows what it missed once it hears again', async () => {
  await world.deafen();
  await switchWallet(true);
  await expect.poll(everywhere).toEqual(world.portals.map(() => false));
  await switchWallet(false);
  await expect.poll(everywhere).toEqual(world.portals.map(() => true));
});
