import { takenOf } from '@portal/domain/payment/ledger.ts';
import type { Kysely } from 'kysely';
import type { Fulfilment, StatementEntry, StatementSource } from '../connectors/ports.ts';
import type { Schema } from '../db/schema.ts';
import * as store from './payments.reconcile.store.ts';
import { deliveryOf, fulfilmentFor } from './payments.steps.ts';
import type { Payment } from './payments.store.ts';

/** What does not fit, in one word; each is somebody's money. */
export const differenceKinds = [
  'takenNotBooked',
  'bookedNotTaken',
  'amountDiffers',
  'refundDiffers',
  'bookedNotDelivered',
  'deliveredAndGivenBack',
  'booksDiffer',
] as const;

type Difference = (typeof differenceKinds)[number];

export interface Report {
  day: string;
  taken: number;
  delivered: number;
  givenBack: number;
  differences: { what: Difference; gateway: string; reference: string }[];
  /** Gateways that list nothing. */
  unchecked: string[];
  /** Gateways that list what they took but gave no list now, and deliveries whose system did not answer: to be asked again. */
  unanswered: string[];
}

export interface Reconciliation {
  db: Kysely<Schema>;
  statements: ReadonlyMap<string, StatementSource>;
  charging: Fulfilment;
  billing: Fulfilment;
  orders: Fulfilment;
  now: () => Date;
}

const dayMs = 24 * 3_600_000;
/** A clock that differs, or a payment around midnight, is found in the neighbouring hours. */
const marginMs = 2 * 3_600_000;
const lookupsAtOnce = 8;
/** So many entries are compared before others get a turn. */
const comparedAtOnce = 2_000;

/** The day's three views of the same money compared: the providers', ours, and the systems that deliver. */
export async function reconcileDay(deps: Reconciliation, day: string): Promise<Report> {
  const from = new Date(`${day}T00:00:00Z`);
  const to = new Date(from.getTime() + dayMs);
  const wide = { from: new Date(from.getTime() - marginMs), to: new Date(to.getTime() + marginMs) };
  const booked = await store.bookedBetween(deps.db, from, to);
  const report: Report = {
    day,
    taken: booked.filter(({ kinds }) => kinds.includes('paid')).length,
    delivered: booked.filter(({ kinds }) => kinds.includes('delivered')).length,
    givenBack: booked.filter(({ kinds }) => kinds.includes('refunded')).length,
    differences: [],
    unchecked: [],
    unanswered: [],
  };

  for (const gateway of new Set([...booked.map(({ payment }) => payment.gateway), ...deps.statements.keys()])) {
    const source = deps.statements.get(gateway);
    const listed = await source?.statement(wide);
    if (listed) await compareTaken(deps, report, { gateway, listed, booked, from, to });
    else (source ? report.unanswered : report.unchecked).push(gateway);
  }
  await compareDelivered(deps, report, booked);
  if ((await store.openAmount(deps.db)) !== (await store.owedBalance(deps.db)))
    report.differences.push({ what: 'booksDiffer', gateway: '', reference: 'customers:owed' });
  return report;
}

async function compareTaken(
  deps: Reconciliation,
  report: Report,
  view: { gateway: string; listed: StatementEntry[]; booked: store.Booked[]; from: Date; to: Date },
): Promise<void> {
  const { gateway, listed } = view;
  const note = (what: Difference, reference: string) => report.differences.push({ what, gateway, reference });
  const byReference = new Map(listed.map((entry) => [entry.reference, entry]));
  for (const { payment, kinds } of view.booked) {
    if (payment.gateway !== gateway || !kinds.includes('paid')) continue;
    const entry = byReference.get(payment.id) ?? byReference.get(payment.short_reference);
    if (!entry) note('bookedNotTaken', payment.id);
    else if (entry.amount !== takenOf(payment).amount || entry.currency !== takenOf(payment).currency)
      note('amountDiffers', payment.id);
    else if (entry.givenBack !== (payment.state === 'REFUNDED') && !isGoingBack(payment))
      note('refundDiffers', payment.id);
  }
  for (let first = 0; first < listed.length; first += comparedAtOnce) {
    const some = listed.slice(first, first + comparedAtOnce);
    const found = await store.findByReferences(
      deps.db,
      gateway,
      some.map(({ reference }) => reference),
    );
    const known = new Map(found.flatMap((one) => [one.id, one.short_reference].map((name) => [name, one] as const)));
    for (const { reference } of some) {
      const payment = known.get(reference);
      // What is still being found out, or is already in a person's hands, is open and not unexplained.
      if (!payment || (!payment.isBooked && payment.state === 'FAILED')) note('takenNotBooked', reference);
    }
  }
}

const isGoingBack = (payment: Payment) => payment.state.startsWith('REFUND') || payment.state === 'REVIEW';

async function compareDelivered(deps: Reconciliation, report: Report, booked: store.Booked[]): Promise<void> {
  const waiting = booked.filter(({ kinds }) => kinds.includes('delivered') || kinds.includes('refunded'));
  const look = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { payment, kinds } = next;
      const found = await fulfilmentFor(payment.details.item, deps).findDelivery(deliveryOf(payment));
      if (found.kind === 'unclear') report.unanswered.push(payment.id);
      const what = found.kind === 'delivered' ? 'deliveredAndGivenBack' : 'bookedNotDelivered';
      const isWrong = found.kind === 'delivered' ? kinds.includes('refunded') : kinds.includes('delivered');
      if (found.kind !== 'unclear' && isWrong)
        report.differences.push({ what, gateway: payment.gateway, reference: payment.id });
    }
  };
  await Promise.all(Array.from({ length: lookupsAtOnce }, look));
}

/** A provider that was silent is asked about its day for so long. */
const askAgainDays = 7;

/**
 * Yesterday, and what was left open of the days before because somebody gave no answer; each by whichever process comes
 * first. Gives what is new: a difference that was told of is not told of again.
 */
export async function reconcileOpenDays(deps: Reconciliation): Promise<Report[]> {
  const dayBefore = (days: number) => new Date(deps.now().getTime() - days * dayMs).toISOString().slice(0, 10);
  const reports: Report[] = [];
  for (const day of await store.daysToCompare(deps.db, { oldest: dayBefore(askAgainDays), yesterday: dayBefore(1) })) {
    const told = new Set(await store.differencesTold(deps.db, day));
    const report = await reconcileDay(deps, day);
    if (!(await store.keepReport(deps.db, report, deps.now()))) continue;
    const differences = report.differences.filter(({ what, reference }) => !told.has(store.toldAs(what, reference)));
    reports.push({ ...report, differences });
  }
  return reports;
}
