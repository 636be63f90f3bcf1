import type { Metrics } from '../http/metrics.ts';

export type ChallengeEvents = ReturnType<typeof challengeEvents>;

export function challengeEvents(metrics: Metrics) {
  const challenges = metrics.counter(
    'portal_challenges_total',
    'Challenges asked because a budget ran low, and what became of them',
    ['effect', 'outcome'],
  );
  return {
    given: (effect: string) => challenges.inc({ effect, outcome: 'given' }),
    /** `inVain`: solved, but the whole budget was used up. `proof`: skipped, because the visit proved a number before. */
    solved: (effect: string, outcome: 'work' | 'answer' | 'proof' | 'wrong' | 'inVain') =>
      challenges.inc({ effect, outcome }),
  };
}
