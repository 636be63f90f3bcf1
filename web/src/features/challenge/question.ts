import { challengeAnswer, challengeHeader } from '@portal/contract/challenge-header.ts';
import type { Failure } from '../../lib/api.ts';
import type { FormState } from '../../lib/page.tsx';

/** The challenge for a browser without script. */
export interface Asked {
  challenge: string;
  left: number;
  right: number;
  waitSeconds: number;
  /** Why the previous answer was refused, if there was one. */
  problem: FormState['errors'][string] | null;
}

/** The header value; undefined where no question was answered. */
export function answerIn({ challenge, answer }: Record<string, string>): string | undefined {
  const digits = (answer ?? '').replace(/\D/g, '');
  return challenge && digits ? challengeAnswer(challenge, 'answer', digits) : undefined;
}

export const answerHeaders = (answered: string | undefined): Record<string, string> =>
  answered ? { [challengeHeader]: answered } : {};

/** Null for any other error. An answer that came too early gets the same question again. */
export function questionAfter(failure: Failure, answered: string | undefined): Asked | null {
  if (!failure.challenge) return null;
  const { token, question, waitSeconds } = failure.challenge;
  const isEarly = answered?.startsWith(`${token}.`);
  const wrong = isEarly ? { key: 'challenge.early', params: { seconds: waitSeconds } } : { key: 'challenge.wrong' };
  return { challenge: token, ...question, waitSeconds, problem: answered ? wrong : null };
}
