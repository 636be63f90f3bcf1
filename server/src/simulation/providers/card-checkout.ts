import type { Books, Money } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';

/** A hosted page, on which a card may be declined and another one tried. */
export function cardCheckoutProvider(books: Books): WireProvider {
  const { random, faults, time } = books;
  const none = answered({ status: 'error', message: 'No transaction was found for this id', data: null }, 400);
  return {
    unlisted: answered({ status: 'perhaps', data: {} }),
    kindOf({ method, path }) {
      if (method === 'GET') return 'look';
      return path.endsWith('/refund') ? 'refund' : 'charge';
    },
    answer({ method, path, query, json }) {
      if (path.endsWith('/verify_by_reference')) return verify(query.get('tx_ref') ?? '');
      if (path.endsWith('/refunds')) return refunds(query.get('tx_id') ?? '');
      if (path.endsWith('/refund')) return refund(path.split('/').at(-2) ?? '', json as { amount: string });
      if (method === 'GET') return attempts(query.get('tx_ref') ?? '');
      const { tx_ref: reference, amount, currency } = json as { tx_ref: string; amount: string; currency: string };
      if (!books.find('card', reference)) {
        const sum = { amount: Number(amount), currency };
        const money = books.open('card', { reference, shortReference: '' }, sum, { pageMinutes: 15 });
        if (faults.strikes('cardDeclined'))
          time.after(random.whole(1, 100), () => {
            money.isDeclined = money.state === 'pending' && money.page === 'shown';
          });
      }
      return answered({ status: 'success', data: { link: `https://checkout.example/${reference}` } });
    },
  };

  function verify(reference: string) {
    const money = books.find('card', reference);
    const reported = books.reported(money);
    // For the gateway there is no attempt until a card was entered.
    if (!money || !reported || (reported === 'pending' && !money.isDeclined)) return none;
    const status = faults.strikes('unlistedCode') ? 'odd' : reported === 'taken' ? 'successful' : 'failed';
    return answered({ status: 'success', data: transactionOf(money, status) });
  }

  function attempts(reference: string) {
    const money = books.find('card', reference);
    const reported = books.reported(money);
    if (!money || !reported) return answered({ status: 'success', data: [] });
    const last = { pending: [], taken: ['successful'], refused: money.isDeclined ? ['failed'] : ['failed', 'failed'] };
    const data = [...(money.isDeclined ? ['failed'] : []), ...last[reported]];
    return answered({ status: 'success', data: data.map((status) => transactionOf(money, status)) });
  }

  function byReceipt(receipt: string) {
    return books.money.find((one) => one.gateway === 'card' && one.receipt === receipt);
  }

  function refunds(receipt: string) {
    const data = byReceipt(receipt)
      ?.refunds.filter(books.isVisible)
      .map(({ amount }) => ({
        ...{ tx_id: Number(receipt), amount_refunded: amount, status: random.pick(['completed', 'completed-momo']) },
      }));
    return answered({ status: 'success', data: data ?? [] });
  }

  function refund(receipt: string, { amount }: { amount: string }) {
    const money = byReceipt(receipt);
    if (!money?.debits[0]) return none;
    books.receive('refund', money.reference);
    books.refund(money, { amount: Number(amount), currency: money.debits[0].currency });
    const data = { tx_id: Number(receipt), amount_refunded: Number(amount), status: 'completed' };
    return answered({ status: 'success', data });
  }
}

const transactionOf = (money: Money, status: string) => ({
  ...{ id: Number(money.receipt), tx_ref: money.reference, status },
  ...{ amount: money.asked.amount, charged_amount: money.debits[0]?.amount ?? money.asked.amount },
  currency: money.debits[0]?.currency ?? money.asked.currency,
});
