import type { HttpAnswer } from '../connectors/http-client.ts';
import type { FaultPlan } from './fault-plan.ts';
import { answered } from './wallet-provider.ts';

export interface ChargingDelivery {
  id: string;
  reference: string;
  amount: number;
  currency: string;
  msisdn: string;
}

/** The charging system in memory: it has no key of ours that it would refuse twice, so it delivers whatever comes. */
export class ChargingProvider {
  readonly deliveries: ChargingDelivery[] = [];
  readonly #faults: FaultPlan;
  onDeliver: (reference: string, amount: number, currency: string) => Promise<void> = async () => {};

  constructor(faults: FaultPlan) {
    this.#faults = faults;
  }

  async handle(method: string, path: string, query: URLSearchParams, body: string | undefined): Promise<HttpAnswer> {
    if (method === 'GET' && path.endsWith('/balanceActionHistory'))
      return answered(this.deliveries.filter(({ reference }) => reference === query.get('payment.id')).map(asAction));
    const request = JSON.parse(body ?? '{}') as {
      amount: { amount: number; units: string };
      payment: { id: string };
      partyAccount: { id: string };
    };
    const { amount, units } = request.amount;
    await this.onDeliver(request.payment.id, amount, units);
    if (this.#faults.strikes('deliveryRefused')) return answered({ code: '60', reason: 'refused' }, 422);
    const delivery = {
      id: `D${this.deliveries.length + 1}`,
      reference: request.payment.id,
      amount,
      currency: units,
      msisdn: request.partyAccount.id,
    };
    this.deliveries.push(delivery);
    return answered({ id: delivery.id, status: 'completed' }, 201);
  }
}

const asAction = ({ id, reference, amount, currency, msisdn }: ChargingDelivery) => ({
  id,
  '@type': 'TopupBalance',
  status: 'completed',
  amount: { amount, units: currency },
  partyAccount: { id: msisdn },
  payment: { id: reference },
});
