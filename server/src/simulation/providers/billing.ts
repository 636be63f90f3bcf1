import type { Books } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';

interface Payment {
  correlatorId: string;
  amount: { unit: string; value: number };
  account: { id: string };
}

interface Entry extends Payment {
  id: string;
  status: 'accepted' | 'done' | 'rejected';
  visibleAt: number;
}

/** Books every payment under our reference, at once or after a while, and lists them by it. */
export function billingProvider(books: Books): WireProvider {
  const { faults, random, time } = books;
  const entries: Entry[] = [];
  return {
    unlisted: answered({ id: 'x', status: 'pondering' }, 201),
    kindOf: ({ method }) => (method === 'GET' ? 'look' : 'delivery'),
    answer({ method, query, json }) {
      if (method === 'POST') return book(json as Payment);
      const ours = entries.filter((one) => one.correlatorId === query.get('correlatorId') && books.isVisible(one));
      return answered(ours.map(({ visibleAt, ...one }) => one));
    },
  };

  function book({ correlatorId, amount, account }: Payment) {
    if (faults.strikes('deliveryRefused')) return answered({ code: '60', message: 'refused' }, 422);
    const entry: Entry = {
      id: `P${entries.length + 1}`,
      status: 'accepted',
      correlatorId,
      amount,
      account,
      visibleAt: 0,
    };
    const sum = { amount: amount.value, currency: amount.unit };
    const what = { system: 'billing' as const, reference: correlatorId, to: account.id, ...sum, what: 'bill' };
    entries.push(entry);
    books.receive('delivery', correlatorId);
    if (faults.strikes('doneLater')) {
      entry.visibleAt = books.lag();
      books.act('delivery', correlatorId);
      const isDone = random.chance(0.7);
      time.after(random.whole(5, 7_200), () => {
        entry.status = isDone ? 'done' : 'rejected';
        if (isDone) entry.visibleAt = Math.max(entry.visibleAt, books.deliver(what, { isActed: true }).at);
      });
    } else {
      entry.status = 'done';
      entry.visibleAt = books.deliver(what).visibleAt;
    }
    return answered({ id: entry.id, status: entry.status }, 201);
  }
}
