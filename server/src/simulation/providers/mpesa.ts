import type { Books, Money } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';
import { isToken } from './keys.ts';

/** Daraja: a repeated push is a second push; a reversal is accepted at once and executed later. */
export function mpesaProvider(books: Books, currency: string): WireProvider {
  const { random, faults, time } = books;
  const mine = (one: Money) => one.gateway === 'mpesa';
  return {
    unlisted: answered({ ResponseCode: '77', ResponseDescription: 'who knows' }),
    kindOf({ path }) {
      if (isToken(path)) return 'overhead';
      if (path.includes('/reversal/')) return 'refund';
      return path.endsWith('/processrequest') ? 'charge' : 'look';
    },
    answer({ path, json }) {
      if (isToken(path)) return answered({ access_token: 'token', expires_in: 3599 });
      if (path.endsWith('/processrequest')) return push(json as Push);
      if (path.includes('/stkpushquery/')) return query((json as { CheckoutRequestID: string }).CheckoutRequestID);
      if (path.includes('/reversal/')) return reverse((json as { TransactionID: string }).TransactionID);
      return list(Number((json as { OffSetValue: string }).OffSetValue));
    },
  };

  function push({ Amount: amount, AccountReference: shortReference, CallBackURL }: Push) {
    const reference = CallBackURL.split('/').at(-2) ?? '';
    const money = books.open('mpesa', { reference, shortReference }, { amount, currency });
    money.receipt = `S${random.text(9).toUpperCase()}`;
    return answered({ MerchantRequestID: 'm', CheckoutRequestID: money.ticket, ResponseCode: '0' });
  }

  function query(ticket: string) {
    const money = books.money.find((one) => mine(one) && one.ticket === ticket);
    const reported = books.reported(money);
    if (money && reported === 'taken') money.isReported = true;
    if (!reported) return answered({ requestId: 'r', errorCode: '404.001.01', errorMessage: 'no such push' }, 404);
    if (reported === 'pending')
      return answered({ requestId: 'r', errorCode: '500.001.1001', errorMessage: 'being processed' }, 500);
    const code = faults.strikes('unlistedCode') ? '17' : reported === 'taken' ? '0' : '1032';
    return answered({ ResponseCode: '0', CheckoutRequestID: ticket, ResultCode: code });
  }

  function reverse(receipt: string) {
    const money = books.money.find((one) => mine(one) && one.receipt === receipt);
    const [debit] = money?.debits ?? [];
    if (!money || !debit) return answered({ errorCode: '404', errorMessage: 'no such transaction' }, 404);
    books.receive('refund', money.reference);
    if (money.refunds.length > 0) return answered({ ResponseCode: 'R000001' });
    // An accepted reversal is executed after a while; a second request in between finds it pending.
    if (!under.has(money)) {
      under.add(money);
      books.act('refund', money.reference);
      time.after(random.whole(1, 300), () => books.refund(money, debit, { isActed: true }));
    }
    return answered({ ConversationID: 'AG', ResponseCode: '0' });
  }

  function list(offset: number) {
    const rows = books.money.filter((one) => mine(one) && one.debits.length > 0).flatMap(rowsOf);
    return answered({ ResponseCode: '1000', Response: [rows.slice(offset)] });
  }

  function rowsOf(one: Money) {
    if (one.decisionVisibleAt > time.nowMs) return [];
    one.isReported = true;
    const row = { billreference: one.shortReference, transactiontype: 'c2b-pay-bill-debit' };
    const debits = one.debits.map(({ amount }, index) => ({
      ...{ ...row, transactionId: `${one.receipt}${index || ''}`, amount: `${amount}.00` },
    }));
    const refunds = one.refunds.filter(books.isVisible).map(({ amount }) => ({
      ...{ ...row, transactionId: `R${one.receipt}`, transactiontype: 'reversal', amount: `${amount}.00` },
    }));
    return [...debits, ...refunds];
  }
}

/** Accepted reversals. */
const under = new WeakSet<Money>();

interface Push {
  Amount: number;
  AccountReference: string;
  CallBackURL: string;
}
