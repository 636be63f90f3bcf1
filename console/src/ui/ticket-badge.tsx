import { Badge } from '@mantine/core';
import type { TicketState } from '@portal/domain/ticket.ts';
import { useLanguage } from '../lib/language.tsx';

const colours: Record<TicketState, string> = {
  new: 'red',
  waitingForUs: 'red',
  waitingForCustomer: 'indigo',
  solved: 'teal',
};

/** Whose turn it is, as text. */
export function TicketBadge({ state }: { state: TicketState }) {
  const { say } = useLanguage();
  return (
    <Badge
      variant="light"
      color={colours[state]}
      tt="none"
      size="lg"
      h="auto"
      styles={{ label: { whiteSpace: 'normal' } }}
    >
      {say(`ticketState.${state}`)}
    </Badge>
  );
}
