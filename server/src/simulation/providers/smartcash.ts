import type { Books, Money } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';
import { isToken, publicDer } from './keys.ts';

/** The request contains the PIN, so its response decides. Refusal of repeated requests is not documented. */
export function smartcashProvider(books: Books): WireProvider {
  const { random, faults } = books;
  return {
    unlisted: answered({ code: 'SC777' }),
    kindOf({ method, path }) {
      if (isToken(path) || path.endsWith('/keys')) return 'overhead';
      if (method === 'GET') return 'look';
      return path.endsWith('/refunds') ? 'refund' : 'charge';
    },
    answer({ method, path, json }) {
      if (isToken(path)) return answered({ access_token: 'token', expires_in: 600 });
      if (path.endsWith('/keys')) return answered({ key: publicDer });
      if (method === 'GET') return answered(status(path.split('/').at(-1) ?? ''));
      return answered(path.endsWith('/refunds') ? refund(path.split('/').at(-2) ?? '') : charge(json as Charge));
    },
  };

  function charge({ reference, amount, currency }: Charge) {
    const isRefused = random.chance(0.15);
    const money = books.open(
      'smartcash',
      { reference, shortReference: '' },
      { amount, currency },
      { isDecidedNow: !isRefused },
    );
    if (isRefused && money.state === 'pending') books.decide(money, false);
    return coded(money.state === 'taken' ? 'SC000' : 'SC102', money);
  }

  function status(reference: string) {
    const money = books.find('smartcash', reference);
    const reported = books.reported(money);
    if (!money || !reported) return { code: 'SC201' };
    if (faults.strikes('unlistedCode')) return coded('SC888', money);
    if (reported === 'taken') return coded(money.refunds.length > 0 ? 'SC003' : 'SC000', money);
    return coded(reported === 'refused' ? 'SC101' : 'SC002', money);
  }

  function refund(reference: string) {
    const money = books.find('smartcash', reference);
    const [debit] = money?.debits ?? [];
    if (!money || !debit) return { code: 'SC201' };
    books.receive('refund', money.reference);
    books.refund(money, debit);
    return coded('SC003', money);
  }
}

function coded(code: string, money: Money) {
  const { amount, currency } = money.debits[0] ?? money.asked;
  return { code, transaction: { reference: money.reference, transactionId: money.receipt, amount, currency } };
}

interface Charge {
  reference: string;
  amount: number;
  currency: string;
}
