/** The alphabet in which 160 letters make one SMS, without the signs that count twice; one letter outside it leaves 70. */
const smsLetter = /[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿¡äöñüàèéùìòÄÖÑÜÉåÅæÆøØß]/;

/** Letters that would make a message cost double as it travels; what stands in braces is filled in later. */
export function lettersForeignToSms(text: string): string[] {
  return [...new Set(toSmsText(text).replaceAll(/\{\w+\}/g, ''))].filter((letter) => !smsLetter.test(letter));
}

/** As it may travel by SMS: narrow spaces, the printed apostrophe and the dot of a masked number would double its price. */
export function toSmsText(text: string): string {
  return text
    .replaceAll('•', '*')
    .replaceAll('’', "'")
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Which words of the translation travel by SMS; a reason becomes part of a notice. */
export const travelsBySms = (key: string): boolean => /^(notices|reasons)\./.test(key);
