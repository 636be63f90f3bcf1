import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { useHydrated } from './hydrated.ts';
import { type QueryData, session } from './session.ts';

/** What was about to be bought on this page, for whoever comes back from the payment to change a digit of it. */
export function useUnpaidOrder(redirectPage: string, types: readonly TransactionType[]): QueryData | null {
  // Only while the page stays open: the server renders an empty form.
  const hydrated = useHydrated();
  const order = hydrated && !session.submitted.read() ? session.order.read() : null;
  return order?.redirectPage === redirectPage && types.includes(order.transactionType) ? order : null;
}
