import type { PageRequest } from '@portal/contract/page.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import type { SealedTokens } from '../http/sealed-token.ts';

/**
 * What pages seal belongs to the visit that asked: an address with an open order in it, shared or found in a history,
 * shows nothing to others. A browser that sent no visit keeps no cookies, and could never open what is bound to one.
 */
export function visitTokens(tokens: SealedTokens, visit: string | null): Pick<PageRequest, 'seal' | 'open'> {
  const anybodys = (kind: string) => `page ${kind}`;
  const own = (kind: string) => `page ${kind} of visit ${visit}`;
  return {
    seal: (kind, value) => tokens.seal(visit ? own(kind) : anybodys(kind), value, orderLifeSeconds),
    open: (kind, token) => (visit ? tokens.open(own(kind), token) : null) ?? tokens.open(anybodys(kind), token),
  };
}
