import { isWireNumber, type WireNumber } from '@portal/domain/msisdn.ts';
import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import { minorAmount } from '../major-amount.ts';
import type { BalanceEntry, BalanceLookup, Delivery, DeliveryLookup, LineLookup } from '../ports.ts';
import { parseAnswer, refusingStatuses, unclear } from '../tmf-client.ts';

const identity = z.union([z.string().min(1), z.number()]).transform(String);
const quantity = z.object({ amount: z.number(), units: z.string().min(1) });
const party = z.object({ id: z.string() });

const actionAnswer = z.object({ id: identity, status: z.string(), reason: z.string().optional() });
const action = z.object({
  id: identity,
  '@type': z.string(),
  status: z.string(),
  reason: z.string().optional(),
  amount: quantity,
  adjustType: z.string().optional(),
  reserveBalance: z.object({ id: identity }).optional(),
  partyAccount: party,
  payment: z.object({ id: z.string() }).partial().optional(),
});
export type BalanceAction = z.infer<typeof action>;

export type ActionOutcome =
  | { kind: 'done'; id: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'unclear'; detail: string };

/** Reads the response to a top-up, a reservation or an adjustment. */
export function readAction(answer: HttpAnswer): ActionOutcome {
  if (answer.kind === 'silence') return unclear(answer);
  if (refusingStatuses.includes(answer.status)) return { kind: 'refused', reason: `HTTP ${answer.status}` };
  const parsed = actionAnswer.safeParse(answer.json);
  if (answer.status >= 300 || !parsed.success) return unclear(answer);
  const { id, status, reason } = parsed.data;
  if (status === 'completed') return { kind: 'done', id };
  if (status === 'failed' || status === 'cancelled') return { kind: 'refused', reason: reason ?? status };
  return { kind: 'unclear', detail: status };
}

const actionTypes = ['TopupBalance', 'ReserveBalance', 'AdjustBalance'];

/**
 * The actions of one payment, of the given types, in minor units. Null if in doubt: an entry without a type, a payment
 * or a line may be the one that is looked for.
 */
export function readHistory(
  answer: HttpAnswer,
  asked: { reference: string; msisdn: string; types: readonly string[]; digits: number },
): BalanceAction[] | null {
  const entries = parseAnswer(z.array(action), answer);
  if (!entries) return null;
  const relevant = entries.filter(({ '@type': type }) => asked.types.includes(type) || !actionTypes.includes(type));
  if (relevant.some(({ payment }) => payment?.id === undefined)) return null;
  const ours = relevant.filter(({ payment }) => payment?.id === asked.reference);
  const isCertain = ours.every(
    ({ '@type': type, partyAccount }) => actionTypes.includes(type) && partyAccount.id === asked.msisdn,
  );
  if (!isCertain) return null;
  const counted = ours.flatMap((entry) => {
    const amount = minorAmount(entry.amount.amount, asked.digits);
    return amount === null ? [] : [{ ...entry, amount: { ...entry.amount, amount } }];
  });
  return counted.length === ours.length ? counted : null;
}

/** Only a completed top-up of the ordered item is a delivery; one in progress must not be sent again. */
export function readDelivery(answer: HttpAnswer, delivery: Delivery, digits: number): DeliveryLookup {
  const { reference, msisdn } = delivery;
  const actions = readHistory(answer, { reference, msisdn, types: ['TopupBalance'], digits });
  if (!actions) return unclear(answer);
  const topUps = actions.filter((entry) => !isOver(entry));
  const [first] = topUps;
  if (!first) return { kind: 'notFound' };
  const done = topUps.find(
    ({ status, amount }) =>
      status === 'completed' && amount.amount === delivery.amount && amount.units === delivery.currency,
  );
  return done
    ? { kind: 'delivered', providerReference: done.id }
    : { kind: 'unclear', detail: `a top-up that is ${first.status}` };
}

function isOver({ status }: BalanceAction): boolean {
  return status === 'failed' || status === 'cancelled';
}

const lineTypes = z.enum(['PREPAID', 'POSTPAID', 'HYBRID']);
const resources = z.array(
  z.object({
    value: z.string(),
    startOperatingDate: z.iso.datetime({ offset: true }).nullish().catch(null),
    resourceCharacteristic: z.array(z.object({ name: z.string(), value: z.unknown() })),
  }),
);
const recipient = z.custom<WireNumber>((value) => typeof value === 'string' && isWireNumber(value)).optional();

export function readLine(answer: HttpAnswer, msisdn: string): LineLookup {
  const found = parseAnswer(resources, answer);
  if (!found) return unclear(answer);
  const line = found.find((resource) => resource.value === msisdn);
  if (!line) return { kind: 'none' };
  const characteristic = (name: string) => line.resourceCharacteristic.find((one) => one.name === name)?.value;
  const lineType = lineTypes.safeParse(characteristic('lineType'));
  const codeRecipient = recipient.safeParse(characteristic('otpRecipient'));
  if (!lineType.success || !codeRecipient.success) return { kind: 'unclear', detail: 'a line of no known kind' };
  return {
    kind: 'line',
    lineType: lineType.data,
    broadband: characteristic('broadband') === true,
    codeRecipient: codeRecipient.data ?? null,
    since: line.startOperatingDate ? new Date(line.startOperatingDate) : null,
  };
}

const accumulated = z.array(z.object({ partyAccount: party, totalBalance: quantity }));
const buckets = z.array(
  z.object({
    name: z.string().optional(),
    usageType: z.string(),
    isUnlimited: z.boolean().optional(),
    remainingValue: z.object({ amount: z.number().min(0), units: z.string() }).optional(),
    partyAccount: party,
    validFor: z.object({ endDateTime: z.iso.datetime({ offset: true }).optional() }).optional(),
  }),
);

export function readBalances(
  answers: { airtime: HttpAnswer; bundles: HttpAnswer },
  { msisdn, digits }: { msisdn: string; digits: number },
): BalanceLookup {
  const airtime = parseAnswer(accumulated, answers.airtime);
  if (!airtime) return unclear(answers.airtime);
  const bundles = parseAnswer(buckets, answers.bundles);
  if (!bundles) return unclear(answers.bundles);
  if (airtime.length > 1 || [...airtime, ...bundles].some((balance) => balance.partyAccount.id !== msisdn))
    return { kind: 'unclear', detail: 'balances of more than one account' };
  const entries: BalanceEntry[] = [];
  for (const { totalBalance } of airtime) {
    const amount = minorAmount(totalBalance.amount, digits);
    if (amount === null) return { kind: 'unclear', detail: 'a balance that the currency does not have' };
    entries.push({
      service: 'AIRTIME',
      description: 'Airtime',
      isUnlimited: false,
      amount,
      units: totalBalance.units,
      expiresAt: null,
    });
  }
  for (const { name, usageType, isUnlimited = false, remainingValue, validFor } of bundles) {
    // The accumulated balance covers money, and a bucket without a remaining value has nothing to show.
    if (usageType === 'monetary' || (!isUnlimited && !remainingValue)) continue;
    const units = remainingValue?.units ?? '';
    const service = serviceOf(usageType, units);
    if (!service) return { kind: 'unclear', detail: `a bucket of ${usageType}` };
    const end = validFor?.endDateTime;
    entries.push({
      service,
      description: name ?? usageType,
      isUnlimited,
      amount: isUnlimited ? 0 : (remainingValue?.amount ?? 0),
      units,
      expiresAt: end === undefined ? null : new Date(end),
    });
  }
  return { kind: 'balances', entries };
}

const plainUsages = { data: 'DATA', voice: 'VOICE', sms: 'SMS' } as const;
/** Kinds of product rather than of usage: their unit tells what is counted; data if there is none. */
const productUsages = ['broadband', 'hbb', 'mixed', 'international', 'roaming'];

function serviceOf(usageType: string, units: string): BalanceEntry['service'] | null {
  const usage = usageType.toLowerCase();
  if (Object.hasOwn(plainUsages, usage)) return plainUsages[usage as keyof typeof plainUsages];
  if (/^([kmgt]i?b|bytes?)$/i.test(units)) return 'DATA';
  if (/^(s|sec|seconds?|min|minutes?)$/i.test(units)) return 'VOICE';
  if (/^(sms|messages?)$/i.test(units)) return 'SMS';
  return productUsages.includes(usage) ? 'DATA' : null;
}
