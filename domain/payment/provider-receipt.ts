import { fromWire, type WireNumber } from '../msisdn.ts';
import type { MoneyState } from './shown.ts';

interface Taken {
  /** What is kept of the provider's own number, with which it is asked. */
  reference: string | null;
  money: MoneyState;
  numbers: readonly (WireNumber | '' | null)[];
  /** The part that its payer may know, where more is kept. */
  receiptOf?: ((reference: string) => string) | undefined;
}

/**
 * The provider's own number of a payment, which page and receipt show as its transaction id, and our id where there is none.
 * Before money was taken, what is kept is for asking the provider and says nothing to a payer.
 */
export function providerReceipt({ reference, money, numbers, receiptOf }: Taken): string | null {
  if (!reference || money === 'notTaken' || money === 'awaitingApproval') return null;
  const receipt = receiptOf ? receiptOf(reference) : reference;
  // Some providers make their references of the number that pays.
  const namesSomebody = numbers.some((wire) => wire && receipt.includes(fromWire(wire)));
  return receipt && !namesSomebody ? receipt : null;
}
