import { toWall } from './zoned-time.ts';

const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const dayMs = 24 * 3_600_000;

/** Local times such as `08:00`, which sort as text. Days count from Monday, 0. */
interface OpenSpan {
  day: number;
  from: string;
  to: string;
}

/** An example for error messages. */
export const openingHoursExample = 'Mo-Fr 08:00-12:00,14:00-18:00; Sa 08:00-12:00';

const rule = /^(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? (.+)$/;
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const span = new RegExp(`^(${time})-(${time})$`);

/** Parses the subset of OpenStreetMap's format that shops need; null for anything else. */
export function readOpeningHours(text: string): OpenSpan[] | null {
  const spans: OpenSpan[] = [];
  for (const part of text.split(';')) {
    const [, first = '', last = first, times = ''] = rule.exec(part.trim()) ?? [];
    const [from, to] = [days.indexOf(first), days.indexOf(last)];
    if (from < 0 || to < from) return null;
    for (const each of times.split(',')) {
      const [, opens = '', closes = ''] = span.exec(each.trim()) ?? [];
      if (opens >= closes) return null;
      for (let day = from; day <= to; day++) spans.push({ day, from: opens, to: closes });
    }
  }
  return spans;
}

export type OpenState =
  | { readonly isOpen: true; readonly until: string }
  /** `inDays` 0 is later today; `day` counts from Monday, 0. */
  | { readonly isOpen: false; readonly opens: string; readonly inDays: number; readonly day: number };

/** Whether it is open at that moment, in `timeZone`, and when that changes. */
export function openState(hours: string, at: Date, timeZone: string): OpenState | null {
  const spans = readOpeningHours(hours);
  if (!spans) return null;
  const [date = '', now = ''] = toWall(at.toISOString(), timeZone).split('T');
  const today = (new Date(date).getTime() / dayMs + 3) % 7;
  const open = spans.find(({ day, from, to }) => day === today && from <= now && now < to);
  if (open) return { isOpen: true, until: open.to };
  const next = spans
    .map(({ day, from }) => ({ day, opens: from, inDays: (day - today + 7) % 7 }))
    .map((one) => (one.inDays === 0 && one.opens <= now ? { ...one, inDays: 7 } : one))
    .sort((one, other) => one.inDays - other.inDays || (one.opens < other.opens ? -1 : 1))[0];
  return next ? { isOpen: false, ...next } : null;
}
