import type { ConsoleResult } from '@portal/contract/console/contract.ts';

type Ticket = ConsoleResult<'tickets'>['tickets'][number];

/** Not proved to be the payer: may be anybody who knows the reference. */
export const isStrangers = ({ openedBy, isOwn }: Pick<Ticket, 'openedBy' | 'isOwn'>): boolean =>
  openedBy === 'customer' && !isOwn;

/** Text for the author of a message: only a proved payer is called the customer. */
export const writtenBy = (author: Ticket['openedBy'], isOfStrangers: boolean) =>
  author === 'customer' && isOfStrangers ? 'ticketBy.stranger' : (`ticketBy.${author}` as const);
