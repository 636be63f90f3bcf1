import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { useHydrated } from './hydrated.ts';
import { type QueryData, session } from './session.ts';

/** The order made on this page, to refill the form when somebody comes back from the payment page to correct it. */
export function useUnpaidOrder(redirectPage: string, types: readonly TransactionType[]): QueryData | null {
  // In memory only: the server renders an empty form.
  const hydrated = useHydrated();
  const order = hydrated && !session.submitted.read() ? session.order.read() : null;
  return order?.redirectPage === redirectPage && types.includes(order.transactionType) ? order : null;
}
