import type { LateCause, PortalWord, TicketAuthor, TicketState } from '@portal/domain/ticket.ts';
import type { Sealed } from './column-types.ts';

export interface TicketsTable {
  id: string;
  payment_id: string;
  opened_by: TicketAuthor;
  is_own: boolean;
  state: TicketState;
  version: number;
  opened_at: Date;
  promised_at: Date;
  answered_at: Date | null;
  solved_at: Date | null;
  changed_at: Date;
}

export interface TicketTables {
  tickets: TicketsTable;
  ticket_messages: {
    id: string;
    ticket_id: string;
    version: number;
    at: Date;
    author: TicketAuthor;
    person: string | null;
    /** Distinguishes several strangers' threads in one ticket. */
    thread: string | null;
    said: PortalWord | null;
    text: Sealed<string> | null;
  };
  ticket_causes: {
    payment_id: string;
    cause: LateCause;
    ticket_id: string;
    noticed_at: Date;
    settled_at: Date | null;
  };
}
