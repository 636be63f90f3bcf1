import { beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryLookup, DeliveryOutcome } from '../../connectors/ports.ts';
import { live, loseLease, paymentsTests, waitsOf, world } from '../../testing/payments-tests.fixture.ts';
import { inTurn } from '../../testing/scripted-providers.ts';

const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;
const lost = { kind: 'unclear', detail: 'time-out' } as const;
const unsent = { kind: 'unclear', detail: 'ECONNREFUSED', isUnsent: true } as const;
const refused = { kind: 'refused', detail: 'already there' } as const;
const delivered = { kind: 'delivered', providerReference: 'top-up-1' } as const;

paymentsTests();

beforeEach(() => {
  world.gateway.answers.enquire = () => paid;
});

const sent = () => world.charging.calls.deliver.length;
const looks = () => world.charging.calls.findDelivery.length;
const lookups = (answer: () => DeliveryLookup) => {
  world.charging.answers.findDelivery = answer;
};

/** A payment that was taken, and whose delivery was just sent. */
async function delivering(...outcomes: [DeliveryOutcome, ...DeliveryOutcome[]]): Promise<string> {
  world.charging.answers.deliver = inTurn<DeliveryOutcome>(...outcomes);
  const id = await world.submitted();
  await live(10);
  expect(sent()).toBe(1);
  return id;
}

const evidenceOf = async (id: string) =>
  (await world.payments.evidence(id)).map(({ call, answer, detail }) =>
    [call, answer, detail].filter(Boolean).join(' '),
  );

describe('REL-10 a delivery without a response', () => {
  test('is looked up at growing intervals, and sent again only once three lookups and the lag found nothing', async () => {
    const id = await delivering(lost, delivered);
    expect(await waitsOf(id, 7)).toEqual([5, 5, 10, 20, 40, 80, 160]);
    expect([looks(), sent()]).toEqual([7, 1]);
    expect(await waitsOf(id, 1)).toEqual([320]);
    expect([looks(), sent()]).toEqual([8, 2]);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(await evidenceOf(id)).toEqual([
      'start accepted',
      'enquire paid',
      'deliver unclear time-out',
      'findDelivery notFound',
      'deliver delivered',
    ]);
    expect(world.unclear).toEqual([['deliver', 'time-out']]);
  });

  test('is looked up likewise while the lookups fail too, and not sent again', async () => {
    lookups(() => ({ kind: 'unclear', detail: 'HTTP 500' }));
    const id = await delivering(lost);
    expect(await waitsOf(id, 10)).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 600, 600]);
    expect([looks(), sent()]).toEqual([10, 1]);
    expect(world.unclear.slice(0, 2)).toEqual([
      ['deliver', 'time-out'],
      ['find delivery', 'HTTP 500'],
    ]);
    // Failed lookups do not count as three that found nothing.
    lookups(() => ({ kind: 'notFound' }));
    await waitsOf(id, 2);
    expect(sent()).toBe(1);
    await waitsOf(id, 1);
    expect(sent()).toBe(2);
  });

  test('that is found was delivered by it', async () => {
    const id = await delivering(lost);
    lookups(() => delivered);
    expect(await waitsOf(id, 1)).toEqual([5]);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect([looks(), sent()]).toEqual([1, 1]);
    expect((await evidenceOf(id)).at(-1)).toBe('findDelivery delivered');
    expect((await world.payments.evidence(id)).at(-1)?.receipt).toBe('top-up-1');
  });

  test('and then refused is refunded once the lookups and the lag after it found nothing', async () => {
    const id = await delivering(lost, refused);
    await waitsOf(id, 8);
    expect([looks(), sent()]).toEqual([8, 2]);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    expect((await evidenceOf(id)).at(-1)).toBe('deliver refused already there');
    // The refusal is nothing unclear, but it may mean that the first one arrived.
    expect(world.unclear).toEqual([['deliver', 'time-out']]);
    await live(590, 10);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    await live(1_300, 10);
    // The refund counts its own attempts, not those of the delivery.
    expect(await world.paymentOf(id)).toMatchObject({
      ...{ state: 'REFUNDED', reason: 'deliveryRefused' },
      ...{ attempts: 1, not_found_answers: 0 },
    });
    expect(sent()).toBe(2);
    expect(await evidenceOf(id)).toContain('deliver refused refused, and not there');
  });

  test('is not looked up by a process whose lease was taken', async () => {
    const id = await delivering(lost);
    lookups(() => delivered);
    await loseLease(id, 'FULFIL_UNKNOWN', 5);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(looks()).toBe(1);
  });
});

describe('REL-10 a delivery that was provably not sent', () => {
  test('is sent again after three lookups, without the lag', async () => {
    const id = await delivering(unsent, delivered);
    expect(await waitsOf(id, 3)).toEqual([5, 5, 10]);
    expect([looks(), sent()]).toEqual([3, 2]);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('after one that may have been waits for the lag of that one', async () => {
    const id = await delivering(lost, unsent, delivered);
    await waitsOf(id, 8);
    expect([looks(), sent()]).toEqual([8, 2]);
    // Its lag has passed, so three more lookups suffice.
    await waitsOf(id, 2);
    expect(sent()).toBe(2);
    await waitsOf(id, 1);
    expect([looks(), sent()]).toEqual([11, 3]);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });
});

describe('a delivery that is refused', () => {
  test('says so as evidence, and is refunded without a lookup', async () => {
    const id = await delivering(refused);
    expect([looks(), sent()]).toEqual([0, 1]);
    expect(await evidenceOf(id)).toContain('deliver refused already there');
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REFUNDED', reason: 'deliveryRefused' });
    expect(world.unclear).toEqual([]);
  });
});

describe('REL-11 a delivery that may have been made before a restore', () => {
  /** As it is when it is due for the first time after the restore. */
  async function restored(): Promise<string> {
    const id = await world.submitted();
    await world.restore();
    return id;
  }
  const waits = [9, 5, 10, 20, 40, 80, 160, 320];

  test('is looked up first, and sent once three lookups and the lag found nothing and the money is still there', async () => {
    const id = await restored();
    expect(await waitsOf(id, 1)).toEqual(waits.slice(0, 1));
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FULFIL_UNKNOWN', attempts: 1, not_found_answers: 1 });
    expect(await world.eventsOf(id)).toEqual(['create', 'submit', 'accept', 'pay', 'fulfil', 'loseDelivery']);
    expect(await waitsOf(id, 7)).toEqual(waits.slice(1));
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect([looks(), sent(), world.gateway.calls.enquire.length]).toEqual([8, 1, 2]);
    // It was sent in this epoch, so its payer learns of it.
    expect(await world.noticesOf(id)).toEqual(['delivered']);
  });

  test('is sent if the provider knows of no refund, and refunded if it knows of one', async () => {
    for (const [kind, state] of [
      ['notFound', 'SUCCEEDED'],
      ['refunded', 'REFUNDED'],
    ] as const) {
      world.gateway.findRefund = async () => ({ kind });
      const id = await restored();
      expect(await waitsOf(id, 8)).toEqual(waits);
      expect(await world.stateOf(id)).toBe(state);
    }
    expect(sent()).toBe(1);
  });

  test('waits while the provider does not say whether it refunded, and is told', async () => {
    world.gateway.findRefund = async () => ({ kind: 'unclear', detail: 'HTTP 503' });
    const id = await restored();
    expect(await waitsOf(id, 10)).toEqual([...waits, 600, 600]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FULFIL_UNKNOWN', attempts: 10, not_found_answers: 10 });
    expect(world.unclear.at(-1)).toEqual(['find refund', 'HTTP 503']);
    expect([looks(), sent()]).toEqual([10, 0]);
    world.gateway.findRefund = async () => ({ kind: 'notFound' });
    await waitsOf(id, 1);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });
});
