import type { Books } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';

const hundred = 100;

/** Counts in hundredths, refuses a repeated reference, and repeats a refund for each request. */
export function paystackProvider(books: Books): WireProvider {
  const { faults, random } = books;
  const notFound = answered({ status: false, code: 'transaction_not_found' }, 404);
  return {
    unlisted: answered({ status: false, code: 'odd' }, 400),
    kindOf({ method, path }) {
      if (method === 'GET') return 'look';
      return path.endsWith('/refund') ? 'refund' : 'charge';
    },
    answer({ method, path, query, json }) {
      if (path.endsWith('/initialize')) return initialize(json as Initialize);
      if (path.includes('/verify/')) return verify(path.split('/').at(-1) ?? '');
      if (method === 'GET') return refunds(query.get('transaction') ?? '');
      return refund(json as { transaction: string; amount: number });
    },
  };

  function initialize({ reference, amount, currency }: Initialize) {
    if (books.find('paystack', reference)) return answered({ status: false, code: 'duplicate_reference' }, 400);
    const money = books.open(
      'paystack',
      { reference, shortReference: '' },
      { amount: amount / hundred, currency },
      // The page stays open for a day, and few worlds run that long.
      { pageMinutes: random.chance(0.2) ? 23 * 60 : 60 },
    );
    return answered({ status: true, data: { access_code: money.ticket, reference } });
  }

  function verify(reference: string) {
    const money = books.find('paystack', reference);
    const reported = books.reported(money);
    if (!money || !reported) return notFound;
    const status = faults.strikes('unlistedCode')
      ? 'odd'
      : { pending: 'abandoned', taken: 'success', refused: 'failed' }[reported];
    const debit = money.debits[0] ?? money.asked;
    const created_at = new Date(books.time.nowMs).toISOString();
    return answered({
      status: true,
      data: {
        ...{ id: Number(money.receipt), domain: 'test', status, reference, currency: debit.currency, created_at },
        ...{ amount: debit.amount * hundred, requested_amount: money.asked.amount * hundred },
      },
    });
  }

  function byReceipt(receipt: string) {
    return books.money.find((one) => one.gateway === 'paystack' && one.receipt === receipt);
  }

  function refunds(receipt: string) {
    const data = byReceipt(receipt)
      ?.refunds.filter(books.isVisible)
      .map(({ amount }) => ({
        ...{ transaction: Number(receipt), amount: amount * hundred, status: 'processed' },
      }));
    return answered({ status: true, data: data ?? [] });
  }

  function refund({ transaction, amount }: { transaction: string; amount: number }) {
    const money = byReceipt(String(transaction));
    if (!money?.debits[0]) return notFound;
    books.receive('refund', money.reference);
    books.refund(money, { amount: amount / hundred, currency: money.debits[0].currency });
    return answered({ status: true, data: { transaction: Number(transaction), amount, status: 'processed' } });
  }
}

interface Initialize {
  reference: string;
  amount: number;
  currency: string;
}
