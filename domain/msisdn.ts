/** A number is handled in three forms: national ('390000001'), wire (a leading 0), international (with the country code). */
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

/** The national digits in whatever was typed or pasted, at most `nationalLength`; empty for another country's number. */
export function readNational(text: string, numbering: Numbering): string {
  const { countryCode, nationalLength } = numbering;
  const digits = text.replace(/\D/g, '');
  // Cutting '+33 6 12…' or '0039…' to length would give a stranger's number here.
  if (/^\D*\+/.test(text) || digits.startsWith('00')) {
    const dialled = digits.replace(/^00/, '');
    return dialled.startsWith(countryCode) ? cut(dialled.slice(countryCode.length), nationalLength) : '';
  }
  return cut(startsWithCountry(digits, numbering) ? digits.slice(countryCode.length) : digits, nationalLength);
}

function cut(digits: string, length: number): string {
  return digits.replace(/^0+/, '').slice(0, length);
}

function startsWithCountry(digits: string, numbering: Numbering): boolean {
  const { countryCode, nationalLength, mobilePattern } = numbering;
  if (!digits.startsWith(countryCode)) return false;
  if (digits.length >= countryCode.length + nationalLength) return true;
  // While someone types the country code by hand, it shows itself once the digits cannot be a mobile number.
  const isFull = digits.length >= nationalLength;
  return isFull && mobilePattern !== undefined && !new RegExp(mobilePattern).test(digits.slice(0, nationalLength));
}

export function isCompleteNational(national: string, numbering: Numbering): boolean {
  return national.length === numbering.nationalLength && /^[1-9]\d*$/.test(national);
}

export function isMobile(national: string, numbering: Numbering): boolean {
  if (!isCompleteNational(national, numbering)) return false;
  return numbering.mobilePattern === undefined || new RegExp(numbering.mobilePattern).test(national);
}

export function isOwnNetwork(national: string, numbering: Numbering): boolean {
  return isCompleteNational(national, numbering) && numbering.ownPrefixes.some((prefix) => national.startsWith(prefix));
}

export function toWire(national: string): string {
  return `0${national}`;
}

export function fromWire(wire: string): string {
  return wire.replace(/^0/, '');
}

export function toInternational(national: string, numbering: Numbering): string {
  return `+${numbering.countryCode}${national}`;
}

export function groupNational(national: string, groups?: readonly number[]): string {
  const parts: string[] = [];
  let rest = national;
  for (const size of groups ?? usualGroups[national.length] ?? usualGroups[9] ?? []) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  if (rest !== '') parts.push(rest);
  return parts.join(' ');
}

/** Two digits at each end stay readable, so that the owner recognises the number and nobody else learns it. */
export function maskNational(national: string, groups?: readonly number[]): string {
  const hidden = national.length > 6 ? national.slice(2, -2) : national;
  const [start, end] = national.length > 6 ? [national.slice(0, 2), national.slice(-2)] : ['', ''];
  return groupNational(`${start}${'•'.repeat(hidden.length)}${end}`, groups);
}
