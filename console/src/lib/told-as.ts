import type { ConsoleResult } from '@portal/contract/console/contract.ts';

/** How the customer will be told, in the same words before and after sending. */
export function toldAs(ways: ConsoleResult<'ticket'>['toldBy']): 'both' | 'sms' | 'mail' | 'nobody' {
  const [first, second] = ways;
  return first && second ? 'both' : (first ?? 'nobody');
}
