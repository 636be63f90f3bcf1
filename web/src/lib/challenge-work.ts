import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeAnswer } from '@portal/contract/challenge-header.ts';
import { startWork } from '@portal/domain/challenge/proof-of-work.ts';

/** Shorter than a frame on an old phone, so that input is handled in between. */
const sliceMs = 12;
const triesAtOnce = 128;

/** Works in slices between which the browser can render; null when cancelled. */
export async function solveInSlices(
  { token, salt, bits }: Challenge,
  onShare: (share: number) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  const work = startWork(salt, bits);
  while (!signal?.aborted) {
    const until = performance.now() + sliceMs;
    let solution: string | null = null;
    while (!solution && performance.now() < until) solution = work.go(triesAtOnce);
    if (solution) return challengeAnswer(token, 'work', solution);
    onShare(work.done());
    await new Promise((resolve) => setTimeout(resolve));
  }
  return null;
}
