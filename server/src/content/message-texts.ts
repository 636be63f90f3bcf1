import { lettersForeignToSms, travelsBySms } from '@portal/domain/sms-text.ts';
import type { Fault } from './package-shape.ts';

type Words = Readonly<Record<string, unknown>>;

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

/** Why a text cannot be sent as a message; null if it can. */
function faultOf(at: string, text: unknown, original: string): Fault | null {
  if (typeof text !== 'string' || text.trim() === '') return { at, code: 'saysNothing', says: `${at} says nothing.` };
  const names = placeholdersOf(original);
  if (String(placeholdersOf(text)) !== String(names)) {
    if (names.length === 0) return { at, code: 'noPlaceholders', says: `${at} can hold no placeholder.` };
    const wanted = names.map((name) => `{${name}}`).join(', ');
    const says = `${at} has to hold ${wanted} and no other placeholder.`;
    return { at, code: 'otherPlaceholders', parameters: { wanted }, says };
  }
  const foreign = lettersForeignToSms(text);
  if (foreign.length === 0) return null;
  const letters = foreign.map((letter) => `“${letter}”`).join(', ');
  const says = `${at} is sent by SMS, whose alphabet has no ${letters}.`;
  return { at, code: 'foreignLetters', parameters: { letters }, says };
}

/** Errors in the messages of an edited translation, compared with the pack's texts. */
export function messageFaults(edited: Words, original: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(original)
    .filter(([key]) => travelsBySms(key) && Object.hasOwn(edited, key))
    .flatMap(([key, text]) => faultOf(key, edited[key], text) ?? []);
}

/** Texts for the server: a message that cannot be sent is replaced by the pack's. */
export function usableWords(edited: Words, original: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(edited).flatMap(([key, text]): [string, string][] => {
      if (typeof text !== 'string') return [];
      const own = Object.hasOwn(original, key) ? original[key] : undefined;
      return travelsBySms(key) && own !== undefined && faultOf(key, text, own) ? [] : [[key, text]];
    }),
  );
}
