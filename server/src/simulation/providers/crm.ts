import type { Books } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';

interface Order {
  externalId: string;
  orderTotalPrice: [{ price: { taxIncludedAmount: { unit: string; value: number } } }];
  relatedEntity: [{ id: string }];
}

/** Accepts paid orders of home broadband under our reference, and lists them by it. */
export function crmProvider(books: Books): WireProvider {
  return {
    unlisted: answered({ id: 'x' }, 201),
    kindOf: ({ method }) => (method === 'GET' ? 'look' : 'delivery'),
    answer({ method, query, json }) {
      if (method === 'GET') {
        const ours = books.deliveries.filter(
          (one) => one.system === 'crm' && one.reference === query.get('externalId') && books.isVisible(one),
        );
        return answered(ours.map(({ id, reference, amount, currency }) => orderOf(id, reference, amount, currency)));
      }
      if (books.faults.strikes('deliveryRefused')) return answered({ code: '60' }, 422);
      const { externalId: reference, orderTotalPrice, relatedEntity } = json as Order;
      const { unit, value } = orderTotalPrice[0].price.taxIncludedAmount;
      const to = relatedEntity[0].id;
      books.receive('delivery', reference);
      const { id } = books.deliver({ system: 'crm', reference, to, amount: value, currency: unit, what: 'order' });
      return answered(orderOf(id, reference, value, unit), 201);
    },
  };
}

const orderOf = (id: string, externalId: string, value: number, unit: string) => ({
  ...{ id, externalId, state: 'acknowledged', orderTotalPrice: [{ price: { taxIncludedAmount: { unit, value } } }] },
});
