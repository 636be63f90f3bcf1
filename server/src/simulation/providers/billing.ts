import type { Books } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';

interface Payment {
  correlatorId: string;
  amount: { unit: string; value: number };
  account: { id: string };
}

/** Books whatever comes under our number, and lists it by that number. */
export function billingProvider(books: Books): WireProvider {
  return {
    unlisted: answered({ id: 'x', status: 'pondering' }, 201),
    kindOf: ({ method }) => (method === 'GET' ? 'look' : 'delivery'),
    answer({ method, query, json }) {
      if (method === 'GET') {
        const ours = books.brought.filter(
          (one) => one.system === 'billing' && one.reference === query.get('correlatorId') && books.shows(one),
        );
        return answered(
          ours.map(({ id, reference, amount, currency, to }) => ({
            ...{
              id,
              status: 'done',
              correlatorId: reference,
              amount: { unit: currency, value: amount },
              account: { id: to },
            },
          })),
        );
      }
      if (books.faults.strikes('deliveryRefused')) return answered({ code: '60', message: 'refused' }, 422);
      const { correlatorId: reference, amount, account } = json as Payment;
      const sum = { amount: amount.value, currency: amount.unit };
      const { id } = books.bring({ system: 'billing', reference, to: account.id, ...sum, what: 'bill' });
      return answered({ id, status: 'done' }, 201);
    },
  };
}
