import { isEmail } from '@portal/domain/email.ts';
import { isCompleteNational, type Numbering, readPosted } from '@portal/domain/msisdn.ts';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';

/** A message has at least this many words; a reference or number written in groups has fewer. */
const leastWords = 5;
const ticketWord = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
/** A receipt or a request number: letters and digits mixed, which do not occur in ordinary sentences. */
const printedWord = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{8,}$/;

/**
 * The search key in a text. From a pasted message it takes the most specific one: a ticket, a payment, a receipt or
 * request, and only then a number or email.
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
