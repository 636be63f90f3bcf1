import type { PaymentMethod } from '../operator.ts';

/** By a request on the phone; who gives a PIN or a code has approved with it, and has proved the number. */
export const isAskedOnPhone = (
  { type }: Pick<PaymentMethod, 'type'>,
  { features }: { features: { enableAmPin: boolean } },
): boolean => type === 'MPESA' || (type === 'AM' && !features.enableAmPin);
