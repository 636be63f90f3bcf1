import type { HttpAnswer } from './http-client.ts';
import type { StartOutcome } from './ports.ts';

/** The request never left: no connection, or no token to send it with. A payment is started once, so nothing was taken. */
export function isUnsent(answer: HttpAnswer): boolean {
  return answer.kind === 'silence' && answer.isUnsent === true;
}

export const notReached = { kind: 'refused', reason: 'notReached' } as const satisfies StartOutcome;
