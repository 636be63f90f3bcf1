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
