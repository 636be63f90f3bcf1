import { emailProblem } from '@portal/domain/email.ts';
import { isMobile, isOwnNetwork } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { OptionType, PaymentOption } from './payment-order.ts';

/** Text keys, so that the page and the server show the same error beside a field. */
export function phoneProblem(type: OptionType, national: string, operator: PublicPack): string | null {
  if (type === 'PG') return null;
  const words = type === 'AM' ? 'payment.phone' : 'payment.payerPhone';
  if (national === '') return `${words}Missing`;
  // The other wallets accept numbers of every network; the brand's own wallet and airtime do not.
  const isPayer = type === 'AM' || type === 'AIRTIME' ? isOwnNetwork : isMobile;
  return isPayer(national, operator.numbering) ? null : `${words}Invalid`;
}

export function emailProblemKey(type: OptionType, email: string): string | null {
  if (type === 'AM' || type === 'SMARTCASH_SECURE') return null;
  const problem = emailProblem(email);
  if (problem === null || (type === 'MPESA' && problem === 'missing')) return null;
  const words = type === 'AIRTIME' ? 'payment.payerEmail' : 'payment.email';
  return problem === 'missing' ? `${words}Missing` : `${words}Invalid`;
}

const popupGateway = 'PAYSTACK';

/** An encrypted PIN and a popup need script. */
export function needsScript({ type, paymentGateway }: PaymentOption, operator: PublicPack): boolean {
  if (type === 'PG') return paymentGateway === popupGateway;
  return type === 'SMARTCASH_SECURE' || (type === 'AM' && operator.features.enableAmPin);
}
