import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeAnswer } from '@portal/contract/challenge-header.ts';
import { startWork } from '@portal/domain/challenge/proof-of-work.ts';

/** Solves the proof of work like a browser, but without its pauses. */
export function solve({ token, salt, bits }: Challenge): string {
  const work = startWork(salt, bits);
  let solution: string | null = null;
  while (!solution) solution = work.go(65_536);
  return challengeAnswer(token, 'work', solution);
}
