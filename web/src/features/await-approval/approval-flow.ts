import { walletPoll } from '@portal/domain/constants.ts';

/** Waiting for the payer's approval on the phone: one state machine for every push method. */
export type Approval =
  | { state: 'waiting'; tries: number }
  /** Decided, or polled often enough: the status page continues. */
  | { state: 'over' };

export const firstApproval: Approval = { state: 'waiting', tries: 0 };

export type ApprovalAnswer = { kind: 'status'; status: string; isUnclear?: boolean | undefined } | { kind: 'noAnswer' };

/**
 * Only IN_PROCESS keeps waiting, unless the provider's answer was unclear: then there may be no request. A missing
 * response proves nothing and only counts as a poll.
 */
export function afterPoll(approval: Approval, answer: ApprovalAnswer, maxTries: number): Approval {
  if (approval.state === 'over') return approval;
  if (answer.kind === 'status' && (answer.isUnclear || answer.status !== 'IN_PROCESS')) return { state: 'over' };
  const tries = approval.tries + 1;
  return tries >= maxTries ? { state: 'over' } : { state: 'waiting', tries };
}

export const pollEveryMs = walletPoll.everySeconds * 1000;
