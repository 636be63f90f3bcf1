import { cachedDateFormat } from './cached-date-format.ts';

const dayMs = 24 * 3_600_000;

/** The calendar day of an instant in a time zone, such as 2026-03-02. */
export function calendarDay(instant: Date, timeZone: string): string {
  const format = cachedDateFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format.format(instant);
}

/** The day `days` later, or earlier if negative. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** When the day starts in the time zone. If clocks change at midnight, it is the first instant with its date. */
export function startOfDay(day: string, timeZone: string): Date {
  const asUtc = Date.parse(day);
  const starts = [asUtc - dayMs, asUtc + dayMs].map((around) => asUtc - offsetMs(new Date(around), timeZone));
  const start = starts.sort((one, other) => one - other).find((at) => calendarDay(new Date(at), timeZone) === day);
  return new Date(start ?? asUtc);
}

function offsetMs(instant: Date, timeZone: string): number {
  const name = cachedDateFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
