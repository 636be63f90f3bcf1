import { isEmail } from '@portal/domain/email.ts';
import { isCompleteNational, type Numbering, readPosted } from '@portal/domain/msisdn.ts';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';

/** A reference or a number may be written in groups; a message has more words than these have. */
const leastWords = 5;
const ticketWord = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
/** A receipt, or the number of a request: letters and digits, which nobody says in a sentence. */
const printedWord = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{8,}$/;

/**
 * What is looked for in a text. Of a whole message that was pasted it is what names one thing most exactly: a ticket, a
 * payment, a receipt or request, and only then somebody’s number or email.
 */
export function soughtIn(text: string, numbering: Numbering): string {
  const words = text.split(/\s+/).map((word) => word.replace(/^[("'«“]+|[.,;:!?)"'»”]+$/g, ''));
  if (words.length < leastWords) return text;
  const link = /[?&]id=(\w+)/.exec(text)?.[1];
  const numbers = text.match(/(?<![\w+])\+?\d[\d ]{6,16}\d(?!\w)/g) ?? [];
  return (
    words.find((word) => ticketWord.test(word) && readTicketNumber(word) !== null) ??
    link ??
    words.find((word) => paymentIdPattern.test(word.toLowerCase())) ??
    words.find((word, at) => /^r[ée]f$/i.test(words[at - 1] ?? '') && referencePattern.test(word.toLowerCase())) ??
    words.find((word) => /\d/.test(word) && referencePattern.test(word.toLowerCase())) ??
    words.find((word) => printedWord.test(word)) ??
    numbers.find((number) => isCompleteNational(readPosted(number, numbering), numbering)) ??
    words.find(isEmail) ??
    text
  );
}
