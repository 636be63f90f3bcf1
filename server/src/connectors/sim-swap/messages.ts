import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { SimSwapOutcome } from '../ports.ts';

const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.number().positive().optional(),
});
const checkAnswer = z.object({ swapped: z.boolean() });

/** The lifetime of a token that states none. */
const shortestLifeSeconds = 60;

export function readToken(answer: HttpAnswer): { value: string; lifeSeconds: number } | null {
  const parsed = answer.kind === 'answer' && answer.status === 200 ? tokenAnswer.safeParse(answer.json) : null;
  if (!parsed?.success) return null;
  return { value: parsed.data.access_token, lifeSeconds: parsed.data.expires_in ?? shortestLifeSeconds };
}

/** Only true or false is conclusive; a number that the service does not know, or may not report on, is unclear. */
export function readCheck(answer: HttpAnswer): SimSwapOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = answer.status === 200 ? checkAnswer.safeParse(answer.json) : null;
  if (!parsed?.success) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  return { kind: parsed.data.swapped ? 'swapped' : 'notSwapped' };
}
