import type { Books } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';
import { isToken, publicDer } from './keys.ts';

const statusBlock = (success: boolean, response_code: string, result_code = 'ESB000010') => ({
  status: { success, response_code, result_code, message: '' },
});

/** Refuses a repeated reference, and refunds a payment once. */
export function walletProvider(books: Books): WireProvider {
  const { random, faults } = books;
  return {
    unlisted: answered(statusBlock(false, 'DP00899999999')),
    kindOf({ method, path }) {
      if (isToken(path) || path.endsWith('/encryption-keys')) return 'overhead';
      if (method === 'GET') return 'look';
      return path.endsWith('/refund') ? 'refund' : 'charge';
    },
    answer({ method, path, query, json }) {
      if (isToken(path)) return answered({ access_token: 'token', expires_in: 180 });
      if (path.endsWith('/encryption-keys')) return answered({ data: { key_id: '1', key: publicDer } });
      if (path.endsWith('/transactions')) return answered(list(query));
      if (method === 'GET') return answered(enquiry(path.split('/').at(-1) ?? ''));
      return answered(path.endsWith('/refund') ? refund(json as Refund) : charge(json as Charge));
    },
  };

  function charge({ reference, transaction: { id, amount, currency } }: Charge) {
    if (books.find('wallet', id)) return statusBlock(false, 'DP00800001006', 'ESB000041');
    const money = books.open('wallet', { reference: id, shortReference: reference }, { amount, currency });
    if (money.state === 'pending' && random.chance(0.08)) {
      books.refuse(money);
      return statusBlock(false, 'DP00800001007');
    }
    return statusBlock(true, 'DP00800001006');
  }

  function enquiry(reference: string) {
    const money = books.find('wallet', reference);
    const reported = books.reported(money);
    if (!money || !reported) return statusBlock(false, 'DP00800001025');
    const ambiguous = faults.strikes('unlistedCode') ? random.pick(['TA', 'TX', 'INS-9']) : null;
    const [debit] = money.debits;
    const sum = reported === 'taken' && debit ? debit : money.asked;
    // The same status as in its list.
    const isBack = money.refunds.some(books.isVisible);
    return {
      data: {
        transaction: {
          ...{ id: reference, airtel_money_id: money.receipt },
          ...{ status: ambiguous ?? { pending: 'TIP', taken: isBack ? 'TR' : 'TS', refused: 'TF' }[reported] },
          // Amount and currency are optional, because the reference identifies the payment.
          ...(random.chance(0.7) ? { amount: sum.amount, currency: sum.currency } : stated(sum, money.asked)),
        },
      },
      ...statusBlock(true, reported === 'refused' ? 'DP00800001008' : 'DP00800001001'),
    };
  }

  function refund({ transaction: { airtel_money_id: receipt } }: Refund) {
    const money = books.money.find((one) => one.gateway === 'wallet' && one.receipt === receipt);
    const [debit] = money?.debits ?? [];
    if (!money || !debit) return statusBlock(false, 'DP00800001025');
    books.receive('refund', money.reference);
    if (money.refunds.length > 0) return statusBlock(false, 'DP00800001041');
    books.refund(money, debit);
    return statusBlock(true, 'DP00800001001');
  }

  function list(query: URLSearchParams) {
    const isAsked = ({ at }: { at: number }) => at >= Number(query.get('from')) && at < Number(query.get('to'));
    const taken = books.money.filter((one) => one.gateway === 'wallet' && one.debits.some(isAsked));
    const transactions = taken.map((one) => ({
      ...{ transaction_id: one.reference, amount: one.debits[0]?.amount, currency: one.asked.currency },
      status: one.refunds.length > 0 ? 'TR' : 'TS',
    }));
    return { data: { count: transactions.length, transactions }, ...statusBlock(true, 'DP00800001001') };
  }
}

/** An amount that differs from the requested one is always stated. */
const stated = (sum: { amount: number; currency: string }, asked: { amount: number }) =>
  sum.amount === asked.amount ? {} : { amount: sum.amount, currency: sum.currency };

interface Charge {
  reference: string;
  transaction: { id: string; amount: number; currency: string };
}
interface Refund {
  transaction: { airtel_money_id: string };
}
