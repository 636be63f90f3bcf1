import type { PageRequest, SealedKind } from '@portal/contract/render-page.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import type { SealedTokens } from '../http/sealed-token.ts';

/** Long enough to correct a form and to look back at it once. */
const postedFormSeconds = 600;
const lifeOf = (kind: SealedKind) => (kind === 'postedForm' ? postedFormSeconds : orderLifeSeconds);

/**
 * Tokens of a page are bound to its visit: a URL with an open order, shared or found in a history, shows nothing to
 * others. For a browser without cookies they are unbound, because it could never open a bound one.
 */
export function visitTokens(tokens: SealedTokens, visit: string | null): Pick<PageRequest, 'seal' | 'open'> {
  const anybodys = (kind: string) => `page ${kind}`;
  const own = (kind: string) => `page ${kind} of visit ${visit}`;
  return {
    seal: (kind, value) => tokens.seal(visit ? own(kind) : anybodys(kind), value, lifeOf(kind)),
    open: (kind, token) => (visit ? tokens.open(own(kind), token) : null) ?? tokens.open(anybodys(kind), token),
  };
}
