const dayMs = 24 * 3_600_000;

/** The day, such as 2026-03-02, that people in that time zone call today at this moment. */
export function calendarDay(instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format.format(instant);
}

/** So many days later; earlier with a number below zero. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** When the day begins there. Where clocks change at midnight it is the first moment that carries its date. */
export function startOfDay(day: string, timeZone: string): Date {
  const asUtc = Date.parse(day);
  const starts = [asUtc - dayMs, asUtc + dayMs].map((around) => asUtc - offsetMs(new Date(around), timeZone));
  const start = starts.sort((one, other) => one - other).find((at) => calendarDay(new Date(at), timeZone) === day);
  return new Date(start ?? asUtc);
}

function offsetMs(instant: Date, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
