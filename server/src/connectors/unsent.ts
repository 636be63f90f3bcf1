import type { HttpAnswer } from './http-client.ts';
import type { StartOutcome } from './ports.ts';

/** The request was never sent: no connection, or no token for it. A payment is started once, so nothing was taken. */
export function isUnsent(answer: HttpAnswer): boolean {
  return answer.kind === 'silence' && answer.isUnsent === true;
}

export const notReached = { kind: 'refused', reason: 'notReached' } as const satisfies StartOutcome;
