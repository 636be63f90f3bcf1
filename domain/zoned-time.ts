/** A moment as a clock on the wall shows it in a time zone: 2027-03-02T12:00, as a field for date and time has it. */
export function toWall(iso: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
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

/** The other way round; null for an empty field. Where clocks are put back the earlier of two moments counts. */
export function fromWall(wall: string, timeZone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall)) return null;
  const guess = Date.parse(`${wall}:00Z`);
  const ahead = (at: number) => Date.parse(`${toWall(new Date(at).toISOString(), timeZone)}:00Z`) - at;
  const first = guess - ahead(guess);
  return new Date(guess - ahead(first)).toISOString();
}
