import { isWireNumber, type WireNumber } from '@portal/domain/msisdn.ts';
import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { AccountMatch, Delivery, DeliveryLookup, DeliveryOutcome, Invoice } from '../ports.ts';
import { parseAnswer, refusingStatuses, unclear } from '../tmf-client.ts';
import { readHundredths, statedAmount } from './stated-amount.ts';

const identity = z.union([z.string().min(1), z.number()]).transform(String);
const hundredths = z.unknown().transform((value, context) => {
  const read = readHundredths(value);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: 'not an amount of at most two decimals' });
  return z.NEVER;
});
const money = z.object({ unit: z.string().regex(/^[A-Z]{3}$/), value: hundredths });
/** The calendar day in the billing system's format, with or without a time after it. */
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/)
  .transform((text) => text.slice(0, 10))
  .pipe(z.iso.date());

const bill = z.object({
  billNo: z.string().min(1),
  state: z.enum(['new', 'onHold', 'validated', 'sent', 'partiallyPaid', 'settled']),
  billingAccount: z.object({ id: z.string().min(1) }),
  billingPeriod: z.object({ startDateTime: day, endDateTime: day }),
  paymentDueDate: day,
  remainingAmount: money,
});
const unfinished: readonly string[] = ['new', 'onHold'];

/** The page size: more bills than any account has. */
export const maxBills = 200;

/** Paid and payable bills. Null if one is not understood or there may be more, since a sum would be wrong. */
export function readBills(answer: HttpAnswer): Invoice[] | null {
  const bills = parseAnswer(z.array(bill), answer);
  const isSound = bills?.every(
    ({ state, remainingAmount: { value } }) => value >= 0 && (state !== 'settled' || value === 0),
  );
  if (!bills || !isSound || bills.length >= maxBills) return null;
  return bills
    .filter(({ state }) => !unfinished.includes(state))
    .map((one) => ({
      accountNo: one.billingAccount.id,
      invoiceNo: one.billNo,
      dueDate: one.paymentDueDate,
      periodStart: one.billingPeriod.startDateTime,
      periodEnd: one.billingPeriod.endDateTime,
      currency: one.remainingAmount.unit,
      outstanding: statedAmount(one.remainingAmount.value),
      isPaid: one.remainingAmount.value === 0,
    }));
}

/** The sum, if all bills are in one currency; else null. */
export function sumOutstanding(bills: readonly Invoice[]): string | null {
  if (bills.some(({ currency }) => currency !== bills[0]?.currency)) return null;
  return statedAmount(bills.reduce((sum, { outstanding }) => sum + (readHundredths(outstanding) ?? 0), 0));
}

const medium = z.object({
  characteristic: z.object({ emailAddress: z.string(), phoneNumber: z.string() }).partial().optional(),
});
const account = z.object({
  id: z.string().min(1),
  relatedParty: z.array(z.object({ id: z.string(), role: z.string().optional() })).optional(),
  contact: z.array(z.object({ contactMedium: z.array(medium) })).optional(),
});

export interface BillingAccount {
  accountNo: string;
  lines: WireNumber[];
  emails: string[];
  phones: WireNumber[];
}

function plain(one: z.infer<typeof account>): BillingAccount {
  const media = (one.contact ?? []).flatMap(({ contactMedium }) => contactMedium.map((each) => each.characteristic));
  return {
    accountNo: one.id,
    lines: (one.relatedParty ?? [])
      .filter(({ role }) => role === 'subscriber')
      .map(({ id }) => id)
      .filter(isWireNumber),
    emails: media.flatMap((each) => each?.emailAddress ?? []),
    phones: media.flatMap((each) => each?.phoneNumber ?? []).filter(isWireNumber),
  };
}

export function readAccounts(answer: HttpAnswer): BillingAccount[] | null {
  return parseAnswer(z.array(account), answer)?.map(plain) ?? null;
}

const errorAnswer = z.object({ code: identity, message: z.string().min(1) });

export function readMatch(answer: HttpAnswer, asked: { msisdn: WireNumber; accountNo: string }): AccountMatch {
  if (answer.kind === 'silence') return unclear(answer);
  if (answer.status >= 400 && answer.status < 500) {
    const code = errorAnswer.safeParse(answer.json).data?.code;
    if (code === '60119') return { kind: 'mismatch' };
    if (code === '60005') return { kind: 'unknown' };
    return unclear(answer);
  }
  const parsed = parseAnswer(account, answer);
  if (!parsed) return unclear(answer);
  const { accountNo, lines } = plain(parsed);
  if (accountNo === asked.accountNo && lines.includes(asked.msisdn)) return { kind: 'match', accountNo };
  return { kind: 'unclear', detail: 'the answer is about another account' };
}

const paymentAnswer = z.object({ id: identity, status: z.string() });
const payment = z.object({
  id: identity,
  status: z.string(),
  correlatorId: z.string(),
  amount: money,
  account: z.object({ id: z.string() }),
});
const refusedStatuses: readonly string[] = ['rejected', 'cancelled', 'failed'];

export function readPayment(answer: HttpAnswer): DeliveryOutcome {
  if (answer.kind === 'silence') return unclear(answer);
  if (refusingStatuses.includes(answer.status)) {
    const code = errorAnswer.safeParse(answer.json).data?.code;
    return { kind: 'refused', detail: code ? `HTTP ${answer.status}, ${code}` : `HTTP ${answer.status}` };
  }
  const parsed = paymentAnswer.safeParse(answer.json);
  if (answer.status >= 300 || !parsed.success) return unclear(answer);
  const { id, status } = parsed.data;
  if (status === 'done') return { kind: 'delivered', providerReference: id };
  return refusedStatuses.includes(status) ? { kind: 'refused', detail: status } : { kind: 'unclear', detail: status };
}

/**
 * Found only if it is completed and of this amount to this account. A payment of ours that differs does not prove that
 * this one is missing.
 */
export function readPayments(answer: HttpAnswer, delivery: Delivery, currencyDigits: number): DeliveryLookup {
  const payments = parseAnswer(z.array(payment), answer);
  if (!payments) return unclear(answer);
  const ours = payments.filter(
    ({ correlatorId, status }) => correlatorId === delivery.reference && !refusedStatuses.includes(status),
  );
  const [first] = ours;
  if (!first) return { kind: 'notFound' };
  const paid = readHundredths(majorNumber(delivery.amount, currencyDigits));
  const accountNo = delivery.item.kind === 'bill' ? delivery.item.accountNo : null;
  const done = ours.find(
    ({ status, amount, account: { id } }) =>
      status === 'done' && amount.value === paid && amount.unit === delivery.currency && id === accountNo,
  );
  return done
    ? { kind: 'delivered', providerReference: done.id }
    : { kind: 'unclear', detail: `a payment that is ${first.status}` };
}
