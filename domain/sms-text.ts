/**
 * The GSM alphabet, in which 160 letters fit one SMS, without the characters that count twice. One letter outside it
 * leaves room for 70.
 */
const smsLetter = /[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿¡äöñüàèéùìòÄÖÑÜÉåÅæÆøØß]/;

/** Letters that would double the price of a message. Placeholders in braces are skipped. */
export function lettersForeignToSms(text: string): string[] {
  return [...new Set(plainSigns(text).replaceAll(/\{\w+\}/g, ''))].filter((letter) => !smsLetter.test(letter));
}

const standIns: Readonly<Record<string, string>> = {
  ...{ œ: 'oe', Œ: 'OE', '–': '-', '—': '-', '…': '...', '“': '"', '”': '"', '«': '"', '»': '"' },
};

/**
 * Inserted values, such as a bundle's name, are written by others: characters outside the alphabet, which would double
 * the price of the SMS, lose their accent or become a plain character.
 */
export const toSmsText = (text: string): string =>
  [...plainSigns(text)]
    .map((letter) => (smsLetter.test(letter) ? letter : (standIns[letter] ?? bare(letter))))
    .join('');

/** Removes the accent, if the alphabet has the base letter. */
function bare(letter: string): string {
  const [base = letter] = letter.normalize('NFD');
  return smsLetter.test(base) ? base : letter;
}

/** Replaces narrow spaces, printed apostrophes and the dot of a masked number. */
function plainSigns(text: string): string {
  return text
    .replaceAll('•', '*')
    .replaceAll('’', "'")
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Whether a translation key is sent by SMS. A reason becomes part of a notice. */
export const travelsBySms = (key: string): boolean => /^(notices|reasons)\./.test(key);

/** Characters of the GSM alphabet that count twice. */
const wideLetter = /[\f^{}\\[~\]|€]/g;

const partsOf = (length: number, single: number, each: number) => (length <= single ? 1 : Math.ceil(length / each));
const gsmParts = (text: string) => partsOf(text.length + (text.match(wideLetter)?.length ?? 0), 160, 153);
const ucsParts = (text: string) => partsOf(text.length, 70, 67);

/**
 * Appends a word unless the message would then need another part. The gateway decides how a text with characters
 * outside the alphabet is encoded, so it must not need another part in either encoding.
 */
export function withWordIfFree(text: string, word: string): string {
  const longer = `${text} ${word}`;
  const isFree = (parts: (text: string) => number) => parts(longer) === parts(text);
  return isFree(gsmParts) && (lettersForeignToSms(longer).length === 0 || isFree(ucsParts)) ? longer : text;
}
