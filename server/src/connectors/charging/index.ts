import { z } from 'zod';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Charging } from '../ports.ts';

export interface ChargingSettings {
  url: string;
  key: string;
}

const identity = z.union([z.string().min(1), z.number()]).transform(String);
/** The request itself was wrong, so nothing was done. 401 and 403 are about our key, 409 may mean that it was done before. */
const refusals = [400, 404, 422];
const topUpAnswer = z.object({ id: identity, status: z.string(), reason: z.string().optional() });
const history = z.array(
  z.object({
    id: identity,
    '@type': z.string().optional(),
    status: z.string(),
    payment: z.object({ id: z.string() }).partial().optional(),
  }),
);
const resources = z.array(
  z.object({
    value: z.string(),
    resourceCharacteristic: z.array(z.object({ name: z.string(), value: z.unknown() })),
  }),
);
const lineTypes = z.enum(['PREPAID', 'POSTPAID', 'HYBRID']);

const balances = '/tmf-api/prepayBalanceManagement/v4';
const inventory = '/tmf-api/resourceInventoryManagement/v4';

/** The charging system, by TMF654 (balances) and TMF639 (which line a number is). */
export function chargingSystem(http: HttpClient, settings: ChargingSettings): Charging {
  const headers = { authorization: `Bearer ${settings.key}`, 'content-type': 'application/json' };
  const get = (path: string, query: Record<string, string>) =>
    http.call({ method: 'GET', url: `${settings.url}${path}?${new URLSearchParams(query)}`, headers });

  return {
    async topUp({ reference, msisdn, amount, currency }) {
      const answer = await http.call({
        method: 'POST',
        url: `${settings.url}${balances}/topupBalance`,
        headers,
        body: JSON.stringify({
          amount: { amount, units: currency },
          usageType: 'monetary',
          bucket: { id: msisdn },
          partyAccount: { id: msisdn },
          payment: { id: reference },
        }),
      });
      if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
      if (refusals.includes(answer.status)) return { kind: 'refused', detail: `HTTP ${answer.status}` };
      const parsed = topUpAnswer.safeParse(answer.json);
      if (answer.status >= 300 || !parsed.success) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
      if (parsed.data.status === 'completed') return { kind: 'delivered', providerReference: parsed.data.id };
      if (parsed.data.status === 'failed' || parsed.data.status === 'cancelled')
        return { kind: 'refused', detail: parsed.data.reason ?? parsed.data.status };
      return { kind: 'unclear', detail: parsed.data.status };
    },

    async findTopUp({ reference, msisdn }) {
      const answer = await get(`${balances}/balanceActionHistory`, {
        'partyAccount.id': msisdn,
        'payment.id': reference,
      });
      const entries = parse(history, answer);
      if (!entries) return { kind: 'unclear', detail: describe(answer) };
      // A reservation of the same payment is in the same history.
      const topUps = entries.filter((entry) => (entry['@type'] ?? 'TopupBalance') === 'TopupBalance');
      const done = topUps.find((entry) => entry.payment?.id === reference && entry.status === 'completed');
      return done ? { kind: 'delivered', providerReference: done.id } : { kind: 'notFound' };
    },

    async findLine(msisdn) {
      const answer = await get(`${inventory}/resource`, { value: msisdn });
      const found = parse(resources, answer);
      if (!found) return { kind: 'unclear', detail: describe(answer) };
      const line = found.find((resource) => resource.value === msisdn);
      if (!line) return { kind: 'none' };
      const characteristic = (name: string) => line.resourceCharacteristic.find((one) => one.name === name)?.value;
      const lineType = lineTypes.safeParse(characteristic('lineType'));
      if (!lineType.success) return { kind: 'none' };
      return { kind: 'line', lineType: lineType.data, broadband: characteristic('broadband') === true };
    },
  };
}

function parse<T>(schema: z.ZodType<T>, answer: HttpAnswer): T | null {
  if (answer.kind !== 'answer' || answer.status !== 200) return null;
  const parsed = schema.safeParse(answer.json);
  return parsed.success ? parsed.data : null;
}

function describe(answer: HttpAnswer): string {
  return answer.kind === 'silence' ? answer.detail : `HTTP ${answer.status}`;
}
