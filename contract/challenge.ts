import { z } from 'zod';
import { challengeHeader } from './challenge-header.ts';

/** Requested only from clients that use a budget which is nearly exhausted. */
export const challenge = z.object({
  token: z.string().describe('Sealed: for this call, this recipient and this visit, for three minutes and one use.'),
  salt: z.string().describe('32 hexadecimal digits, the first 16 bytes of what is hashed.'),
  bits: z
    .int()
    .describe(
      'Work: eight numbers of 32 bits, each for a part 0 to 7, so that SHA-256(salt part number) has bits - 3 zeros.',
    ),
  question: z
    .object({ left: z.int(), right: z.int() })
    .describe('Instead of work, for who has no script: the sum of both, sent after waitSeconds.'),
  waitSeconds: z.int().min(0),
});
export type Challenge = z.infer<typeof challenge>;

export const challengeHeaders = z.looseObject({
  [challengeHeader]: z
    .string()
    .max(600)
    .regex(/^[\w-]+\.(?:work|answer)\.[\w-]+$/)
    .optional()
    .describe('After CHALLENGE_NEEDED: the token, then .work. or .answer., then the solution.'),
});
