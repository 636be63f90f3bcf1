import type { ConsoleResult } from '@portal/contract/console/contract.ts';

/** The channels by which the customer is notified, with the same text before and after sending. */
export function toldAs(ways: ConsoleResult<'ticket'>['toldBy']): 'both' | 'sms' | 'mail' | 'nobody' {
  const [first, second] = ways;
  return first && second ? 'both' : (first ?? 'nobody');
}
