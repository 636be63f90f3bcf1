import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { hiddenFields } from '@portal/contract/console/payments.ts';
import { calendarDay, dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import { isEmail } from '@portal/domain/email.ts';
import { digitsOf, toMajorString } from '@portal/domain/money.ts';
import { isCompleteNational, readPosted, toWire } from '@portal/domain/msisdn.ts';
import { takenOtherwise } from '@portal/domain/payment/ledger.ts';
import { csvRow } from '@portal/domain/printable.ts';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import { fromWall } from '@portal/domain/zoned-time.ts';
import {
  type ConsoleHandlers,
  ConsoleRefusal,
  nextPage,
  type Position,
  positionOf,
  type Signed,
} from '../../console/console.service.ts';
import { personalData, personPseudonym } from '../../db/personal-data.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { Payment } from '../core/payments.store.ts';
import type { DeskContext } from './desk-context.ts';
import * as desk from './payments.desk.store.ts';
import { soughtIn } from './printed-text.ts';

type Sought = Omit<ConsoleParsed<'find'>, 'before'>;
type Days = NonNullable<ConsoleResult<'find'>['days']>;

const pageRows = 50;
const leadRows = 20;
const exportRows = 500;
const listedDays = 7;
const mostDays = 31;
const minuteMs = 60_000;

/** Search by anything that is printed about a payment, in one field. */
export function findHandlers(context: DeskContext) {
  const { db, audit, tickets, leads, listed, number, hidden, pack, now } = context;
  const { numbering } = pack;

  /** Detects what kind of key was typed. */
  function cluesIn(text: string): desk.Clues {
    // People paste the link of a message, or the reference with the word before it.
    const plain = (/[?&]id=(\w+)/.exec(text)?.[1] ?? text).replace(/^\s*r[ée]f\.?\s+/i, '').trim();
    const code = plain.toLowerCase().replace(/[\s-]/g, '');
    const national = readPosted(plain, numbering);
    return {
      ...(paymentIdPattern.test(code) ? { id: code } : {}),
      ...(referencePattern.test(code) ? { reference: code } : {}),
      ...(isCompleteNational(national, numbering) ? { number: toWire(national) } : {}),
      ...(isEmail(plain) ? { email: plain } : { invoice: plain, account: plain.toUpperCase(), receipt: plain }),
    };
  }

  /** A request number is letters and digits; people read it out in groups. */
  const leadClues = (text: string, { number: phone, email }: desk.Clues) => ({
    id: text.toUpperCase().replace(/[\s-]/g, ''),
    ...(phone ? { number: phone } : {}),
    ...(email ? { email } : {}),
  });

  /** For the audit log: the kind of search key, and the pseudonym of the person searched for. */
  function subjectOf(
    text: string | undefined,
    { number: phone, email }: desk.Clues,
    ticket: { id: string } | undefined,
  ) {
    const whom = phone ? personPseudonym(db, 'number', phone) : email && personPseudonym(db, 'email', email);
    if (text === undefined) return { by: 'filter', subject: { kind: 'search', id: 'list' } };
    if (ticket) return { by: 'ticket', subject: { kind: 'ticket', id: ticket.id } };
    if (whom) return { by: phone ? 'number' : 'email', subject: { kind: 'customer', id: whom } };
    return { by: 'text', subject: { kind: 'search', id: personalData(db).pseudonym(`search ${text}`) } };
  }

  /** Without a text the most recent days are listed, at most a month. An index returns them in order. */
  function daysOf({ text, from, until, fromTime, untilTime }: Sought): Days | null {
    if (fromTime !== undefined || untilTime !== undefined) {
      const today = calendarDay(now(), pack.timeZone);
      return within(text, { from: from ?? until ?? today, until: until ?? from ?? today });
    }
    if (text !== undefined && from === undefined && until === undefined) return null;
    const last =
      until ?? (from && text === undefined ? dayPlus(from, listedDays - 1) : calendarDay(now(), pack.timeZone));
    return within(text, {
      from: from ?? (text === undefined ? dayPlus(last, 1 - listedDays) : '2000-01-01'),
      until: last,
    });
  }

  function within(text: string | undefined, { from: first, until: last }: Days): Days {
    if (first > last) throw new ConsoleRefusal('endBeforeStart', { field: 'until' });
    if (text === undefined && dayPlus(first, mostDays) <= last)
      throw new ConsoleRefusal('tooManyDays', { field: 'from', parameters: { most: mostDays } });
    return { from: first, until: last };
  }

  /** The time range of the order. The last minute is included. */
  function momentsOf(days: Days, { fromTime, untilTime }: Sought): { from: Date; to: Date } {
    const at = (day: string, time: string) => Date.parse(fromWall(`${day}T${time}`, pack.timeZone) ?? '');
    const start = startOfDay(days.from, pack.timeZone);
    const end = startOfDay(dayPlus(days.until, 1), pack.timeZone);
    const from = fromTime === undefined ? start : new Date(at(days.from, fromTime) || start);
    const to = untilTime === undefined ? end : new Date(at(days.until, untilTime) + minuteMs || end);
    if (from >= to) throw new ConsoleRefusal('endBeforeStart', { field: 'untilTime' });
    return { from, to };
  }

  /** Parses the text and the filters. */
  async function soughtBy(sought: Sought) {
    const text = sought.text === undefined ? undefined : soughtIn(sought.text, numbering);
    const { state, way, sums, fromTime, untilTime } = sought;
    const ticketNumber = text && readTicketNumber(text);
    const ticket = ticketNumber ? await tickets.find(ticketNumber) : undefined;
    const clues: desk.Clues = ticket ? { id: ticket.payment_id } : text === undefined ? {} : cluesIn(text);
    const days = daysOf(sought);
    const filter: desk.Filter = {
      ...{ state, gateway: way, sums },
      ...(days && momentsOf(days, sought)),
    };
    const { by, subject } = subjectOf(text, clues, ticket);
    const amounts = sums?.map(
      ({ amount, currency }) => `${toMajorString(amount, digitsOf(pack, currency))} ${currency}`,
    );
    const said = { by, state, way, amounts, ...days, fromTime, untilTime };
    return { clues, ticket, days, filter, subject, said, text };
  }

  async function* everyFound(clues: desk.Clues, filter: desk.Filter): AsyncGenerator<Payment> {
    let before: Position | undefined;
    do {
      const rows = await desk.searchPayments(db, clues, { before, most: exportRows, filter });
      yield* rows;
      const last = rows.length === exportRows ? rows.at(-1) : undefined;
      before = last && { at: last.created_at, id: last.id };
    } while (before);
  }

  async function* linesOf(payments: AsyncIterable<Payment>, isFull: boolean): AsyncIterable<string> {
    const columns = isFull ? [...exportColumns(context), ...fullColumns(hidden)] : exportColumns(context);
    yield csvRow(columns.map(([name]) => name));
    for await (const payment of payments) yield csvRow(columns.map(([, cell]) => cell(payment)));
  }

  /** Audited before the response, because an export that breaks off may have been read. */
  async function exported({ reason, ...sought }: Sought & { reason: string }, { actor }: Signed, isFull: boolean) {
    const { clues, filter, subject, said } = await soughtBy(sought);
    const after = { ...said, inFull: isFull };
    await audit.writeSeen(actor, { act: 'payments.exported', subject, after, reason });
    return linesOf(everyFound(clues, filter), isFull);
  }

  return {
    async find({ before, ...sought }, signed) {
      const { clues, ticket, days, filter, subject, said, text } = await soughtBy(sought);
      // Audited before the response, and for every page: each shows as much as the first.
      await audit.writeLooked(signed.actor, { act: 'payments.found', subject, after: { ...said, before } });
      const [rows, requests] = await Promise.all([
        desk.searchPayments(db, clues, { before: positionOf(before, paymentIdPattern), most: pageRows + 1, filter }),
        before === undefined && text !== undefined ? leads.search(leadClues(text, clues), leadRows) : [],
      ]);
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        days,
        payments: page.map(listed),
        leads: requests.map(({ id, status, plan_description, contact_number, created_at }) => ({
          id,
          status,
          plan: plan_description,
          number: number(contact_number),
          createdAt: created_at.toISOString(),
        })),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
        ticket: ticket && signed.may('tickets.read') ? ticket.id : null,
      };
    },

    exportFound: (sought, signed) => exported(sought, signed, false),
    exportFoundInFull: (sought, signed) => exported(sought, signed, true),
  } satisfies ConsoleHandlers;
}

type Cell = readonly [name: string, cell: (payment: Payment) => string | number | null];

const exportColumns = ({ number, wayName, pack }: DeskContext): readonly Cell[] => [
  ['id', ({ id }) => id],
  ['reference', ({ short_reference }) => short_reference],
  ['created', ({ created_at }) => created_at.toISOString()],
  ['changed', ({ changed_at }) => changed_at.toISOString()],
  ['state', ({ state }) => state],
  ['reason', ({ reason }) => reason],
  ['type', ({ transaction_type }) => transaction_type],
  ['way', ({ gateway }) => wayName(gateway)],
  ['amount', ({ amount, currency }) => toMajorString(amount, digitsOf(pack, currency))],
  ['currency', ({ currency }) => currency],
  ['taken otherwise', takenCell(pack)],
  ['currency taken', (payment) => takenOtherwise(payment)?.currency ?? null],
  ['number masked', ({ msisdn }) => number(msisdn)],
];

/** The amount taken, if it differs from the amount asked for. */
const takenCell = (pack: DeskContext['pack']) => (payment: Payment) => {
  const taken = takenOtherwise(payment);
  return taken && toMajorString(taken.amount, digitsOf(pack, taken.currency));
};

/** Requires the permission for exports in full. */
const fullColumns = (hidden: DeskContext['hidden']): readonly Cell[] =>
  hiddenFields.map((field) => [field, (payment) => hidden(payment)[field] || null]);
