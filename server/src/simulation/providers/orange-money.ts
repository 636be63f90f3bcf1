import type { Books, Money } from '../books.ts';
import { answered, type WireProvider } from '../wire.ts';
import { isToken } from './keys.ts';

/** The page's token is returned once. Without it no enquiry and no payment is possible. */
export function orangeMoneyProvider(books: Books, currency: string): WireProvider {
  const { random, faults, time } = books;
  const under = new Set<Money>();
  return {
    unlisted: answered({ code: 77 }, 400),
    kindOf({ path }) {
      if (isToken(path)) return 'overhead';
      if (path.endsWith('/refund')) return 'refund';
      return path.endsWith('/webpayment') ? 'charge' : 'look';
    },
    answer({ path, json }) {
      if (isToken(path)) return answered({ access_token: 'token', expires_in: 3600 });
      const { order_id: reference, amount, pay_token: ticket } = json as Asked;
      if (path.endsWith('/webpayment')) {
        const money = books.open(
          'orange',
          { reference, shortReference: '' },
          { amount, currency },
          { pageMinutes: 10 },
        );
        return answered({ pay_token: money.ticket, payment_url: `https://checkout.example/${money.ticket}` }, 201);
      }
      const money = books.money.find((one) => one.gateway === 'orange' && one.ticket === ticket);
      if (path.endsWith('/refund')) {
        const [debit] = money?.debits ?? [];
        if (!money || !debit) return answered({ code: 60 }, 404);
        books.receive('refund', money.reference);
        if (money.refunds.length > 0) return answered({ status: 'ALREADY_REFUNDED', order_id: reference });
        if (under.has(money)) return answered({ status: 'PENDING', order_id: reference });
        if (!faults.strikes('doneLater')) {
          books.refund(money, debit);
          return answered({ status: 'SUCCESS', order_id: reference });
        }
        under.add(money);
        books.act('refund', money.reference);
        time.after(random.whole(5, books.lagSeconds - 5), () => books.refund(money, debit, { isActed: true }));
        return answered({ status: 'PENDING', order_id: reference });
      }
      const reported = books.reported(money);
      if (!money || !reported) return answered({ code: 60 }, 404);
      // Believed: no documentation names the status of a refunded payment.
      const taken = money.refunds.some(books.isVisible) ? 'REFUNDED' : 'SUCCESS';
      const status = { pending: random.pick(['INITIATED', 'PENDING']), taken, refused: 'FAILED' }[reported];
      const said = faults.strikes('unlistedCode') ? 'PERHAPS' : status;
      return answered(
        { status: said, order_id: reference, ...(reported === 'taken' ? { txnid: money.receipt } : {}) },
        201,
      );
    },
  };
}

interface Asked {
  order_id: string;
  amount: number;
  pay_token: string;
}
