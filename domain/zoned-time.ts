import { cachedDateFormat } from './cached-date-format.ts';

/** The local time of an instant in a time zone: 2027-03-02T12:00, the value of a datetime-local input. */
export function toWall(iso: string, timeZone: string): string {
  const parts = cachedDateFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(iso));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** The reverse; null for an empty field. If clocks are put back, the earlier of two instants is used. */
export function fromWall(wall: string, timeZone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall)) return null;
  const guess = Date.parse(`${wall}:00Z`);
  const ahead = (at: number) => Date.parse(`${toWall(new Date(at).toISOString(), timeZone)}:00Z`) - at;
  const first = guess - ahead(guess);
  return new Date(guess - ahead(first)).toISOString();
}
