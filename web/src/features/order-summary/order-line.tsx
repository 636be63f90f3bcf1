import { useFormats } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';

interface OrderLineProps {
  order: QueryData & { charged?: { amount: number; currency: string } };
}

/** How much, and for whom: beside every last tap. */
export function OrderLine({ order }: OrderLineProps) {
  const formats = useFormats();
  const { amount, currency } = order.charged ?? order;
  return (
    <>
      <strong>{formats.money(amount, currency)}</strong>
      {/* The payer of an invoice, found by account and email, does not have to know its line. */}
      {!order.invoiceDetail && <span>{` → ${formats.number(order.msisdn)}`}</span>}
    </>
  );
}
