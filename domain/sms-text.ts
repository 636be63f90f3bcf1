/**
 * The GSM alphabet, in which 160 letters fit one SMS, without the characters that count twice. One letter outside it
 * leaves room for 70.
 */
const smsLetter = /[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿¡äöñüàèéùìòÄÖÑÜÉåÅæÆøØß]/;

/** Letters that would double the price of a message. Placeholders in braces are skipped. */
export function lettersForeignToSms(text: string): string[] {
  return [...new Set(toSmsText(text).replaceAll(/\{\w+\}/g, ''))].filter((letter) => !smsLetter.test(letter));
}

/**
 * Replaces narrow spaces, printed apostrophes and the dot of a masked number, which would double the price of an SMS.
 */
export function toSmsText(text: string): string {
  return text
    .replaceAll('•', '*')
    .replaceAll('’', "'")
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Whether a translation key is sent by SMS. A reason becomes part of a notice. */
export const travelsBySms = (key: string): boolean => /^(notices|reasons)\./.test(key);
