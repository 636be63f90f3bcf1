import type { HttpClient } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { Charging, DeliveredItem } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { TmfClient, type TmfSettings } from '../tmf-client.ts';
import { readAction, readBalances, readDelivery, readLine } from './messages.ts';

/** Minor digits of the currency that airtime and prices are in; the charging system counts in major units. */
export type ChargingSettings = TmfSettings & { digits: number };

export const balanceApi = '/tmf-api/prepayBalanceManagement/v4';
const inventoryApi = '/tmf-api/resourceInventoryManagement/v4';

const dayMs = 24 * 60 * 60 * 1000;

/** The charging system, by TMF654 (balances) and TMF639 (which line a number is). */
export function chargingSystem(http: HttpClient, settings: ChargingSettings): Charging {
  const client = new TmfClient(http, settings);
  const { digits } = settings;
  return {
    ...termsOf({ lag: settings.lag }),

    async deliver({ reference, msisdn, amount, currency, item }) {
      if (item.kind === 'bill' || item.kind === 'order')
        return { kind: 'refused', detail: 'the charging system takes only airtime and bundles' };
      const answer = await client.post(`${balanceApi}/topupBalance`, {
        amount: { amount: majorNumber(amount, digits), units: currency },
        partyAccount: { id: msisdn },
        payment: { id: reference },
        ...(item.kind === 'airtime' ? { usageType: 'monetary', bucket: { id: msisdn } } : bundle(item, new Date())),
      });
      const outcome = readAction(answer);
      if (outcome.kind === 'done') return { kind: 'delivered', providerReference: outcome.id };
      return outcome.kind === 'refused' ? { kind: 'refused', detail: outcome.reason } : outcome;
    },

    async findDelivery(delivery) {
      const query = { 'partyAccount.id': delivery.msisdn, 'payment.id': delivery.reference };
      return readDelivery(await client.get(`${balanceApi}/balanceActionHistory`, query), delivery, digits);
    },

    async findLine(msisdn) {
      return readLine(await client.get(`${inventoryApi}/resource`, { value: msisdn }), msisdn);
    },

    async balances(msisdn) {
      const query = { 'partyAccount.id': msisdn };
      const [airtime, bundles] = await Promise.all([
        client.get(`${balanceApi}/accumulatedBalance`, query),
        client.get(`${balanceApi}/bucket`, query),
      ]);
      return readBalances({ airtime, bundles }, { msisdn, digits });
    },
  };
}

/** A bundle is the top-up of a bucket: the amount is its price, the bucket is its content. */
function bundle(item: Extract<DeliveredItem, { kind: 'bundle' }>, now: Date) {
  const end = item.validityDays === null ? undefined : new Date(now.getTime() + item.validityDays * dayMs);
  return {
    usageType: item.usageType,
    description: item.description,
    product: { id: item.productCode },
    bucket: {
      id: item.productCode,
      name: item.description,
      isUnlimited: item.isUnlimited,
      ...(item.content ? { remainingValue: item.content } : {}),
      validFor: { startDateTime: now.toISOString(), endDateTime: end?.toISOString() },
    },
  };
}
