import { lettersForeignToSms, travelsBySms } from '@portal/domain/sms-text.ts';
import type { Fault } from './package-shape.ts';

type Words = Readonly<Record<string, unknown>>;

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

/** Why a text cannot be what a customer gets in a message, in a sentence; null when it can. */
function problemOf(key: string, text: unknown, original: string): string | null {
  if (typeof text !== 'string' || text.trim() === '') return `${key} says nothing.`;
  const wanted = placeholdersOf(original);
  if (String(placeholdersOf(text)) !== String(wanted))
    return wanted.length === 0
      ? `${key} can hold no placeholder.`
      : `${key} has to hold ${wanted.map((name) => `{${name}}`).join(', ')} and no other placeholder.`;
  const foreign = lettersForeignToSms(text);
  if (foreign.length === 0) return null;
  return `${key} is sent by SMS, whose alphabet has no ${foreign.map((letter) => `“${letter}”`).join(', ')}.`;
}

/** What is wrong with the messages of an edited translation, held against the pack's own words. */
export function messageFaults(edited: Words, original: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(original)
    .filter(([key]) => travelsBySms(key) && Object.hasOwn(edited, key))
    .flatMap(([key, text]) => {
      const says = problemOf(key, edited[key], text);
      return says ? [{ at: key, says }] : [];
    });
}

/** Words as the server may use them: a message that is not fit to be sent stays as the pack has it. */
export function usableWords(edited: Words, original: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(edited).flatMap(([key, text]): [string, string][] => {
      if (typeof text !== 'string') return [];
      const own = Object.hasOwn(original, key) ? original[key] : undefined;
      return travelsBySms(key) && own !== undefined && problemOf(key, text, own) ? [] : [[key, text]];
    }),
  );
}
