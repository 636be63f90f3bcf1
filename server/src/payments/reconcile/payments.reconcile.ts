import { setImmediate as othersTurn } from 'node:timers/promises';
import { calendarDay, dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import type { DifferenceKind } from '@portal/domain/payment/reconciliation-differences.ts';
import type { Kysely } from 'kysely';
import type { Fulfilment, StatementEntry, StatementSource } from '../../connectors/ports.ts';
import type { Schema } from '../../db/schema.ts';
import { deliveryOf, fulfilmentFor } from '../core/connector-inputs.ts';
import type { Payment } from '../core/payments.store.ts';
import * as store from './payments.reconcile.store.ts';

export interface Sum {
  amount: number;
  count: number;
}

/** The sums of one gateway in one currency, as each of the three systems has them. */
export interface Side {
  gateway: string;
  currency: string;
  booked: { taken: Sum; delivered: Sum; givenBack: Sum };
  /** The provider's entries for what we booked that day, and entries unknown to us; null if it returned no list. */
  listed: { taken: Sum; givenBack: Sum } | null;
  /** Delivered according to the fulfilment systems. */
  delivered: Sum;
}

export interface Report {
  day: string;
  taken: number;
  delivered: number;
  givenBack: number;
  sides: Side[];
  differences: { what: DifferenceKind; gateway: string; reference: string }[];
  /** Gateways that cannot list their payments. */
  unchecked: string[];
  /** Gateways whose list failed, and payments whose delivery lookup was unclear. They are asked again. */
  unanswered: string[];
}

export interface Reconciliation {
  db: Kysely<Schema>;
  statements: ReadonlyMap<string, StatementSource>;
  charging: Fulfilment;
  billing: Fulfilment;
  orders: Fulfilment;
  /** A business day begins and ends in the operator's time zone. */
  timeZone: string;
  now: () => Date;
}

/** Lists are read with this margin, for clock skew and payments around midnight. */
const marginMs = 2 * 3_600_000;
const lookupsAtOnce = 8;
/** Entries compared before yielding to the event loop: a few milliseconds of work. */
const batchSize = 2_000;

/** Compares a day's money in three systems: the providers' lists, our ledger and the fulfilment systems. */
export async function reconcileDay(deps: Reconciliation, day: string): Promise<Report> {
  const [from, to] = [startOfDay(day, deps.timeZone), startOfDay(dayPlus(day, 1), deps.timeZone)];
  const wide = { from: new Date(from.getTime() - marginMs), to: new Date(to.getTime() + marginMs) };
  const booked = await store.bookedBetween(deps.db, from, to);
  const report: Report = {
    day,
    taken: 0,
    delivered: 0,
    givenBack: 0,
    sides: [],
    differences: [],
    unchecked: [],
    unanswered: [],
  };

  const lists = new Map<string, Map<string, StatementEntry> | null>();
  for (const [gateway, source] of deps.statements) {
    const listed = await source.statement(wide);
    if (!listed) report.unanswered.push(gateway);
    lists.set(gateway, listed && (await byReference(listed)));
  }
  for await (const some of batches(booked)) {
    const payments = await store.withKinds(deps.db, some);
    for (const { payment, kinds } of payments) {
      const { booked: sums } = sideOf(report, { gateway: payment.gateway, ...takenOf(payment) }, lists);
      const count = (kind: string, sum: keyof typeof sums) => {
        if (!kinds.includes(kind)) return;
        report[sum] += 1;
        add(sums[sum], takenOf(payment).amount);
      };
      count('paid', 'taken');
      count('delivered', 'delivered');
      count('refunded', 'givenBack');
    }
    compareBooked(report, payments, lists);
    await compareDelivered(deps, report, payments, lists);
  }
  for (const gateway of lists.keys()) await compareListed(deps, report, gateway, lists);
  if ((await store.openAmount(deps.db)) !== (await store.owedBalance(deps.db)))
    report.differences.push({ what: 'booksDiffer', gateway: '', reference: 'customers:owed' });
  return report;
}

type Lists = ReadonlyMap<string, ReadonlyMap<string, StatementEntry> | null>;

const add = (sum: Sum, amount: number) => {
  sum.amount += amount;
  sum.count += 1;
};

function sideOf(report: Report, { gateway, currency }: { gateway: string; currency: string }, lists: Lists): Side {
  const known = report.sides.find((side) => side.gateway === gateway && side.currency === currency);
  if (known) return known;
  const nothing = (): Sum => ({ amount: 0, count: 0 });
  const side: Side = {
    gateway,
    currency,
    booked: { taken: nothing(), delivered: nothing(), givenBack: nothing() },
    listed: lists.get(gateway) ? { taken: nothing(), givenBack: nothing() } : null,
    delivered: nothing(),
  };
  report.sides.push(side);
  return side;
}

function addListed(report: Report, gateway: string, { amount, currency, givenBack }: StatementEntry, lists: Lists) {
  const { listed } = sideOf(report, { gateway, currency }, lists);
  if (!listed) return;
  add(listed.taken, amount);
  if (givenBack) add(listed.givenBack, amount);
}

async function* batches<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (let first = 0; first < items.length; first += batchSize) {
    yield items.slice(first, first + batchSize);
    await othersTurn();
  }
}

async function byReference(listed: readonly StatementEntry[]): Promise<Map<string, StatementEntry>> {
  const entries = new Map<string, StatementEntry>();
  for await (const some of batches(listed)) for (const entry of some) entries.set(entry.reference, entry);
  return entries;
}

/** Checks that the provider lists each payment booked as taken, with the same amount. */
function compareBooked(report: Report, booked: readonly store.Booked[], lists: Lists): void {
  for (const { payment, kinds } of booked) {
    const { gateway, id } = payment;
    const note = (what: DifferenceKind) => report.differences.push({ what, gateway, reference: id });
    const listed = lists.get(gateway);
    if (listed === undefined && !report.unchecked.includes(gateway)) report.unchecked.push(gateway);
    if (!listed || !kinds.includes('paid')) continue;
    const entry = listed.get(id) ?? listed.get(payment.short_reference);
    if (entry) addListed(report, gateway, entry, lists);
    if (!entry) note('bookedNotTaken');
    else if (entry.amount !== takenOf(payment).amount || entry.currency !== takenOf(payment).currency)
      note('amountDiffers');
    else if (entry.givenBack ? !isGoingBack(payment) : kinds.includes('refunded')) note('refundDiffers');
  }
}

/** Checks that each entry of the provider is a payment of ours. */
async function compareListed(deps: Reconciliation, report: Report, gateway: string, lists: Lists): Promise<void> {
  const listed = lists.get(gateway);
  if (!listed) return;
  for await (const references of batches([...listed.keys()])) {
    const found = await store.findByReferences(deps.db, gateway, references);
    const known = new Map(found.flatMap((one) => [one.id, one.short_reference].map((name) => [name, one] as const)));
    for (const reference of references) {
      const payment = known.get(reference);
      // A payment that is still open, or in REVIEW, is not an unexplained difference.
      if (payment && (payment.isBooked || payment.state !== 'FAILED')) continue;
      report.differences.push({ what: 'takenNotBooked', gateway, reference });
      const entry = listed.get(reference);
      if (entry) addListed(report, gateway, entry, lists);
    }
  }
}

/** Refunded, or perhaps: a refund that is under way or with a person may be in the list before it is in our books. */
const isGoingBack = (payment: Payment) => payment.state.startsWith('REFUND') || payment.state === 'REVIEW';

async function compareDelivered(
  deps: Reconciliation,
  report: Report,
  booked: readonly store.Booked[],
  lists: Lists,
): Promise<void> {
  const waiting = booked.filter(({ kinds }) => kinds.includes('delivered') || kinds.includes('refunded'));
  const look = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { payment, kinds } = next;
      const found = await fulfilmentFor(payment.details.item, deps).findDelivery(deliveryOf(payment));
      if (found.kind === 'unclear') report.unanswered.push(payment.id);
      if (found.kind === 'delivered')
        add(
          sideOf(report, { gateway: payment.gateway, ...takenOf(payment) }, lists).delivered,
          takenOf(payment).amount,
        );
      const what = found.kind === 'delivered' ? 'deliveredAndGivenBack' : 'bookedNotDelivered';
      const isWrong = found.kind === 'delivered' ? kinds.includes('refunded') : kinds.includes('delivered');
      if (found.kind !== 'unclear' && isWrong)
        report.differences.push({ what, gateway: payment.gateway, reference: payment.id });
    }
  };
  await Promise.all(Array.from({ length: lookupsAtOnce }, look));
}

/** For this many days an incomplete day is compared again. */
const askAgainDays = 7;

/**
 * Compares yesterday and earlier days that are incomplete for lack of a response. A lease ensures that only one process
 * compares a day; `abandoned` is called for days whose process died. Returns only differences not reported before.
 */
export async function reconcileOpenDays(deps: Reconciliation, abandoned: (day: string) => void): Promise<Report[]> {
  const today = calendarDay(deps.now(), deps.timeZone);
  const days = { oldest: dayPlus(today, -askAgainDays), yesterday: dayPlus(today, -1), now: deps.now() };
  const reports: Report[] = [];
  for (const { day, isAbandoned } of await store.daysToCompare(deps.db, days)) {
    const claim = await store.claimDay(deps.db, day, deps.now());
    if (!claim) continue;
    if (isAbandoned) abandoned(day);
    const report = await compareClaimed(deps, claim);
    if (report) reports.push(report);
  }
  return reports;
}

/** Returns new differences only. Null if the lease expired and another process holds the day. */
async function compareClaimed(deps: Reconciliation, claim: store.Claim): Promise<Report | null> {
  const reported = new Set(await store.reportedDifferences(deps.db, claim.day));
  const report = await reconcileDay(deps, claim.day);
  if (!(await store.storeReport(deps.db, claim, report, deps.now()))) return null;
  const differences = report.differences.filter(
    ({ what, reference }) => !reported.has(store.reportedAs(what, reference)),
  );
  return { ...report, differences };
}

/** Compares a day again on request. False if another process is comparing it. */
export async function reconcileAgain(
  deps: Reconciliation,
  day: string,
  compared: (report: Report) => void,
): Promise<boolean> {
  const claim = await store.claimDay(deps.db, day, deps.now(), { again: true });
  if (!claim) return false;
  try {
    const report = await compareClaimed(deps, claim);
    if (report) compared(report);
  } catch (error) {
    await store.dropClaim(deps.db, claim);
    throw error;
  }
  return true;
}
