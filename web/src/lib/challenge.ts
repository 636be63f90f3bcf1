import type { Challenge } from '@portal/contract/challenge.ts';

/** Progress of the proof of work, from 0 to 1; null while there is none. */
let share: number | null = null;
const listeners = new Set<() => void>();

function tell(next: number | null) {
  share = next;
  for (const listener of listeners) listener();
}

export const challengeShare = () => share;

export function onChallenge(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Lazy: hardly anybody ever needs it. */
export async function solveChallenge(challenge: Challenge, signal?: AbortSignal): Promise<string | null> {
  tell(0);
  try {
    const { solveInSlices } = await import('./challenge-work.ts');
    return await solveInSlices(challenge, tell, signal);
  } finally {
    tell(null);
  }
}
