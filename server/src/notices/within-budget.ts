import type { Budgets, Draw } from '../budgets/budgets.service.ts';

/** Counts the message before it is sent. If sending fails, the count is given back and the job retries. */
export async function withinBudget(
  { budgets, now }: { budgets: Budgets; now: () => Date },
  draws: readonly Draw[],
  send: () => Promise<unknown>,
): Promise<'sent' | 'overBudget'> {
  const at = now();
  if (await budgets.take(draws)) return 'overBudget';
  try {
    await send();
    return 'sent';
  } catch (error) {
    await budgets.giveBack(draws, at);
    throw error;
  }
}
