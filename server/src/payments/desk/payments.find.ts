import { isEmail } from '@portal/domain/email.ts';
import { isCompleteNational, readPosted, toWire } from '@portal/domain/msisdn.ts';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import { type ConsoleHandlers, nextPage, positionOf } from '../../console/console.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { DeskContext } from './desk-context.ts';
import * as desk from './payments.desk.store.ts';

const pageRows = 50;
const leadRows = 20;

/** One box for anything that is printed about a payment. */
export function findHandlers({ db, tickets, leads, listed, number, pack }: DeskContext) {
  const { numbering } = pack;

  /** Nobody is asked what kind of thing they typed. */
  function cluesIn(text: string): desk.Clues {
    // The link of a message, and the word before a reference in it, are copied along.
    const plain = (/[?&]id=(\w+)/.exec(text)?.[1] ?? text).replace(/^\s*r[ée]f\.?\s+/i, '').trim();
    const code = plain.toLowerCase().replace(/[\s-]/g, '');
    const national = readPosted(plain, numbering);
    return {
      ...(paymentIdPattern.test(code) ? { id: code } : {}),
      ...(referencePattern.test(code) ? { reference: code } : {}),
      ...(isCompleteNational(national, numbering) ? { number: toWire(national) } : {}),
      ...(isEmail(plain) ? { email: plain } : { invoice: plain, account: plain.toUpperCase(), receipt: plain }),
    };
  }

  /** The number of a request is letters and digits, which people read out in pieces. */
  const leadClues = (text: string, { number: phone, email }: desk.Clues) => ({
    id: text.toUpperCase().replace(/[\s-]/g, ''),
    ...(phone ? { number: phone } : {}),
    ...(email ? { email } : {}),
  });

  return {
    async find({ text, before }, signed) {
      const ticketNumber = readTicketNumber(text);
      const ticket = ticketNumber ? await tickets.find(ticketNumber) : undefined;
      const clues = ticket ? { id: ticket.payment_id } : cluesIn(text);
      const [rows, requests] = await Promise.all([
        desk.searchPayments(db, clues, { before: positionOf(before, paymentIdPattern), most: pageRows + 1 }),
        before === undefined ? leads.search(leadClues(text, clues), leadRows) : [],
      ]);
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        payments: page.map(listed),
        leads: requests.map(({ id, status, plan_description, contact_number, created_at }) => ({
          id,
          status,
          plan: plan_description,
          number: number(contact_number),
          createdAt: created_at.toISOString(),
        })),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
        ticket: ticket && signed.may('tickets.read') ? ticket.id : null,
      };
    },
  } satisfies ConsoleHandlers;
}
