import type { PaymentMethod } from '../operator.ts';

/** Whether the payer approves a request on the phone. A PIN or a code is an approval itself, and proves the number. */
export const isApprovedOnPhone = (
  { type }: Pick<PaymentMethod, 'type'>,
  { features }: { features: { enableAmPin: boolean } },
): boolean => type === 'MPESA' || (type === 'AM' && !features.enableAmPin);
