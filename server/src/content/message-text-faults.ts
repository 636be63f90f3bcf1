import { lettersForeignToSms, travelsBySms } from '@portal/domain/sms-text.ts';
import type { Fault } from './package-shape.ts';

type Words = Readonly<Record<string, unknown>>;

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

/** Why a text cannot be sent as a message; empty if it can. */
function faultsOf(at: string, text: unknown, original: string): Fault[] {
  if (typeof text !== 'string' || text.trim() === '') return [{ at, code: 'saysNothing', says: `${at} says nothing.` }];
  return [...placeholderFaults(at, text, placeholdersOf(original)), ...letterFaults(at, text)];
}

function placeholderFaults(at: string, text: string, names: readonly string[]): Fault[] {
  if (String(placeholdersOf(text)) === String(names)) return [];
  if (names.length === 0) return [{ at, code: 'noPlaceholders', says: `${at} can hold no placeholder.` }];
  const wanted = names.map((name) => `{${name}}`).join(', ');
  const says = `${at} has to hold ${wanted} and no other placeholder.`;
  return [{ at, code: 'otherPlaceholders', parameters: { wanted }, says }];
}

function letterFaults(at: string, text: string): Fault[] {
  const foreign = lettersForeignToSms(text);
  if (foreign.length === 0) return [];
  const letters = foreign.map((letter) => `“${letter}”`).join(', ');
  return [
    {
      at,
      code: 'foreignLetters',
      parameters: { letters },
      says: `${at} is sent by SMS, whose alphabet has no ${letters}.`,
    },
  ];
}

/** Errors in the messages of an edited translation, compared with the pack's texts. */
export function messageFaults(edited: Words, original: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(original)
    .filter(([key]) => travelsBySms(key) && Object.hasOwn(edited, key))
    .flatMap(([key, text]) => faultsOf(key, edited[key], text));
}

/** Texts for the server: a message that cannot be sent is replaced by the pack's. */
export function usableWords(edited: Words, original: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(edited).flatMap(([key, text]): [string, string][] => {
      if (typeof text !== 'string') return [];
      const own = Object.hasOwn(original, key) ? original[key] : undefined;
      return travelsBySms(key) && own !== undefined && faultsOf(key, text, own).length > 0 ? [] : [[key, text]];
    }),
  );
}
