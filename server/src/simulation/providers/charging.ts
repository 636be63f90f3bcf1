import type { Books, Money } from '../books.ts';
import { answered, type WireAnswer, type WireProvider } from '../wire.ts';

interface Action {
  id: string;
  '@type': 'TopupBalance' | 'ReserveBalance' | 'AdjustBalance';
  status: 'completed' | 'failed' | 'cancelled' | 'inProgress';
  reason?: string;
  amount: { amount: number; units: string };
  adjustType?: string;
  reserveBalance?: { id: string };
  partyAccount: { id: string };
  payment: { id: string };
  visibleAt: number;
}

/** Books every top-up, even a repeated one; a reservation can be closed only once. */
export function chargingProvider(books: Books): WireProvider {
  const { faults, random, time } = books;
  const actions: Action[] = [];
  return {
    unlisted: answered({ id: 'x', status: 'pondering' }, 201),
    kindOf({ method, path, json }) {
      if (method === 'GET') return 'look';
      if (path.endsWith('/topupBalance')) return 'delivery';
      return (json as Body).adjustType === 'credit' ? 'refund' : 'charge';
    },
    answer({ method, path, query, json }) {
      if (method === 'GET')
        return answered(
          actions
            .filter((one) => one.payment.id === query.get('payment.id') && books.isVisible(one))
            .map(({ visibleAt, ...one }) => one),
        );
      const body = json as Body;
      if (path.endsWith('/topupBalance')) return topUp(body);
      return path.endsWith('/reserveBalance') ? reserve(body) : adjust(body);
    },
  };

  function record(type: Action['@type'], body: Body, more: Partial<Action> = {}): Action {
    const action: Action = {
      ...{ id: `A${actions.length + 1}`, '@type': type, status: 'completed', visibleAt: books.lag() },
      ...{ amount: body.amount, partyAccount: body.partyAccount, payment: body.payment },
      ...(body.adjustType ? { adjustType: body.adjustType } : {}),
      ...(body.reserveBalance ? { reserveBalance: body.reserveBalance } : {}),
      ...more,
    };
    actions.push(action);
    return action;
  }

  function act(...recorded: Parameters<typeof record>): WireAnswer {
    const { id, status, reason } = record(...recorded);
    return answered({ id, status, ...(reason ? { reason } : {}) }, 201);
  }

  function topUp(body: Body): WireAnswer {
    if (faults.strikes('deliveryRefused')) return answered({ code: '60', reason: 'refused' }, 422);
    const { amount, units: currency } = body.amount;
    const what = {
      ...{ system: 'charging' as const, reference: body.payment.id, to: body.partyAccount.id, amount, currency },
      what: body.product?.id ?? 'airtime',
    };
    books.receive('delivery', what.reference);
    if (!faults.strikes('doneLater')) return act('TopupBalance', body, { visibleAt: books.deliver(what).visibleAt });
    books.act('delivery', what.reference);
    const action = record('TopupBalance', body, { status: 'inProgress' });
    const isDone = random.chance(0.7);
    time.after(random.whole(5, 7_200), () => {
      action.status = isDone ? 'completed' : 'failed';
      if (isDone) books.deliver(what, { isActed: true });
    });
    return answered({ id: action.id, status: action.status }, 201);
  }

  function reserve(body: Body): WireAnswer {
    const { amount, units } = body.amount;
    if (random.chance(0.1)) return act('ReserveBalance', body, { status: 'failed', reason: 'insufficient balance' });
    books.money.push({
      ...{
        gateway: 'airtime',
        reference: body.payment.id,
        shortReference: '',
        state: 'pending',
        debits: [],
        refunds: [],
        isReversed: false,
        isReported: false,
        isDeclined: false,
      },
      ...{
        asked: { amount, currency: units },
        ticket: `A${actions.length + 1}`,
        receipt: '',
        page: null,
        visibleAt: 0,
        decisionVisibleAt: 0,
      },
    });
    books.act('charge', body.payment.id);
    return act('ReserveBalance', body);
  }

  function adjust(body: Body): WireAnswer {
    const sum = { amount: Math.abs(body.amount.amount), currency: body.amount.units };
    const money = reserved(body);
    if (body.adjustType === 'credit') {
      const taken = books.money.find(
        ({ gateway, reference }) => gateway === 'airtime' && reference === body.payment.id,
      );
      if (taken) books.receive('refund', taken.reference);
      if (taken) books.refund(taken, sum);
      return act('AdjustBalance', body);
    }
    if (money?.state !== 'pending') return act('AdjustBalance', body, { status: 'failed', reason: 'closed' });
    if (body.adjustType === 'release') {
      money.state = 'refused';
      for (const one of actions) if (one.id === body.reserveBalance?.id) one.status = 'cancelled';
      return act('AdjustBalance', body);
    }
    if (random.chance(0.05)) return act('AdjustBalance', body, { status: 'failed', reason: 'not now' });
    money.state = 'taken';
    money.debits.push({ ...sum, at: books.time.nowMs });
    return act('AdjustBalance', body);
  }

  function reserved({ reserveBalance }: Body): Money | undefined {
    return books.money.find(({ gateway, ticket }) => gateway === 'airtime' && ticket === reserveBalance?.id);
  }
}

interface Body {
  amount: { amount: number; units: string };
  partyAccount: { id: string };
  payment: { id: string };
  product?: { id: string };
  adjustType?: string;
  reserveBalance?: { id: string };
}
