import { ConsoleRefusal } from './refusal.ts';

/** The last row of a page: the next page has older ones. */
export interface Position {
  at: Date;
  id: string;
}

/** The cursor of the next page, for the client to send back; null on the last one. */
export const nextPage = ({ at, id }: Position): string => `${at.toISOString()} ${id}`;

/** Parses a cursor written by `nextPage`. */
export function positionOf(before: string | undefined, pattern: RegExp): Position | undefined {
  if (before === undefined) return undefined;
  const [time = '', id = ''] = before.split(' ');
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !pattern.test(id)) throw new ConsoleRefusal('invalid', { field: 'before' });
  return { at, id };
}
