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
 * What stands in a message besides our own texts, such as what was bought, is written by others: a letter that would
 * double the price of the SMS loses its accent, a printed sign becomes a plain one.
 */
export const toSmsText = (text: string): string =>
  [...plainSigns(text)]
    .map((letter) => (smsLetter.test(letter) ? letter : (standIns[letter] ?? bare(letter))))
    .join('');

/** Without its accent, where the alphabet has that. */
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

/** Letters of the GSM alphabet that take two places. */
const wideLetter = /[\f^{}\\[~\]|€]/g;

const partsOf = (length: number, single: number, each: number) => (length <= single ? 1 : Math.ceil(length / each));
const gsmParts = (text: string) => partsOf(text.length + (text.match(wideLetter)?.length ?? 0), 160, 153);
const ucsParts = (text: string) => partsOf(text.length, 70, 67);

/**
 * The text with one more word, where the message then takes no further part; else as it was. Which alphabet a text with
 * foreign letters is sent in depends on the gateway, so neither may take more.
 */
export function withWordIfFree(text: string, word: string): string {
  const longer = `${text} ${word}`;
  const isFree = (parts: (text: string) => number) => parts(longer) === parts(text);
  return isFree(gsmParts) && (lettersForeignToSms(longer).length === 0 || isFree(ucsParts)) ? longer : text;
}
