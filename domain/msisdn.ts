/** The form in calls, at providers and in the database: '0390000001'. */
export type WireNumber = `0${string}`;

/**
 * The form that people read and type: '390000001', possibly incomplete. It has no leading 0, so mixing up the two forms
 * does not compile.
 */
type National<T extends string> = T extends WireNumber ? never : T;

export type Numbering = {
  readonly countryCode: string;
  readonly nationalLength: number;
  readonly ownPrefixes: readonly string[];
  /** Matches a complete national number of any mobile operator of the country. */
  readonly mobilePattern?: string;
  /** How a national number is grouped for reading. */
  readonly groups?: readonly number[];
};

const usualGroups: Record<number, readonly number[]> = { 8: [2, 2, 2, 2], 9: [2, 2, 3, 2], 10: [3, 3, 4] };

/**
 * Parses the national digits from typed or pasted text, at most `nationalLength`; empty for another country's number.
 */
export function readNational(text: string, numbering: Numbering): string {
  return readPosted(text, numbering).slice(0, numbering.nationalLength);
}

/** The same for a posted form: the user did not see it cut, so an extra digit is an error and never dropped. */
export function readPosted(text: string, numbering: Numbering): string {
  const { countryCode } = numbering;
  const digits = text.replace(/\D/g, '');
  // Truncating '+33 6 12…' or '0039…' would give a stranger's number here.
  if (/^\D*\+/.test(text) || digits.startsWith('00')) {
    const dialled = digits.replace(/^00/, '');
    return dialled.startsWith(countryCode) ? withoutZeros(dialled.slice(countryCode.length)) : '';
  }
  return withoutZeros(startsWithCountry(digits, numbering) ? digits.slice(countryCode.length) : digits);
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '');

function startsWithCountry(digits: string, numbering: Numbering): boolean {
  const { countryCode, nationalLength, mobilePattern } = numbering;
  if (!digits.startsWith(countryCode)) return false;
  if (digits.length >= countryCode.length + nationalLength) return true;
  // While typing, the country code is recognised once the digits cannot be a mobile number.
  const isFull = digits.length >= nationalLength;
  return isFull && mobilePattern !== undefined && !new RegExp(mobilePattern).test(digits.slice(0, nationalLength));
}

export function isCompleteNational<T extends string>(national: National<T>, numbering: Numbering): boolean {
  return national.length === numbering.nationalLength && /^[1-9]\d*$/.test(national);
}

export function isMobile<T extends string>(national: National<T>, numbering: Numbering): boolean {
  if (!isCompleteNational(national, numbering)) return false;
  return numbering.mobilePattern === undefined || new RegExp(numbering.mobilePattern).test(national);
}

export function isOwnNetwork<T extends string>(national: National<T>, numbering: Numbering): boolean {
  return isCompleteNational(national, numbering) && numbering.ownPrefixes.some((prefix) => national.startsWith(prefix));
}

export function toWire<T extends string>(national: National<T>): WireNumber {
  return `0${national}`;
}

export const isWireNumber = (text: string): text is WireNumber => /^0\d{6,14}$/.test(text);

export function fromWire(wire: WireNumber | ''): string {
  return wire.replace(/^0/, '');
}

export function toInternational<T extends string>(national: National<T>, numbering: Numbering): string {
  return `+${numbering.countryCode}${national}`;
}

export function groupNational<T extends string>(national: National<T>, groups?: readonly number[]): string {
  const parts: string[] = [];
  let rest: string = national;
  for (const size of groups ?? usualGroups[national.length] ?? usualGroups[9] ?? []) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  if (rest !== '') parts.push(rest);
  return parts.join(' ');
}

/** Two digits at each end stay readable, so that the owner recognises the number and nobody else learns it. */
export function maskNational<T extends string>(national: National<T>, groups?: readonly number[]): string {
  const hidden = national.length > 6 ? national.slice(2, -2) : national;
  const [start, end] = national.length > 6 ? [national.slice(0, 2), national.slice(-2)] : ['', ''];
  return groupNational(`${start}${'•'.repeat(hidden.length)}${end}`, groups);
}
