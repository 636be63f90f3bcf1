import { fromWire, type WireNumber } from '../msisdn.ts';
import type { MoneyState } from './shown-status.ts';

interface Taken {
  /** The provider's reference as stored, for enquiries. */
  reference: string | null;
  money: MoneyState;
  numbers: readonly (WireNumber | '' | null)[];
  /** Extracts the part that the payer may see, if more is stored. */
  receiptOf?: ((reference: string) => string) | undefined;
}

/**
 * The provider's reference, which page and receipt show as transaction id. Without one they show our id. Before money
 * was taken the stored reference is only for enquiries and means nothing to a payer.
 */
export function providerReceipt({ reference, money, numbers, receiptOf }: Taken): string | null {
  if (!reference || money === 'notTaken' || money === 'awaitingApproval') return null;
  const receipt = receiptOf ? receiptOf(reference) : reference;
  // Some providers build references from the payer's number.
  const namesSomebody = numbers.some((wire) => wire && receipt.includes(fromWire(wire)));
  return receipt && !namesSomebody ? receipt : null;
}
