import { walletPoll } from '@portal/domain/constants.ts';

/** Waiting for the payer to approve on the phone: one machine for every method that asks by push. */
export type Approval =
  | { state: 'waiting'; tries: number }
  /** Decided, or asked often enough: the status page tells the rest. */
  | { state: 'over' };

export const firstApproval: Approval = { state: 'waiting', tries: 0 };

export type ApprovalAnswer = { kind: 'status'; status: string } | { kind: 'noAnswer' };

/** Only IN_PROCESS goes on waiting. An answer that did not come proves nothing, so it counts as a try and no more. */
export function afterPoll(approval: Approval, answer: ApprovalAnswer, maxTries: number): Approval {
  if (approval.state === 'over') return approval;
  if (answer.kind === 'status' && answer.status !== 'IN_PROCESS') return { state: 'over' };
  const tries = approval.tries + 1;
  return tries >= maxTries ? { state: 'over' } : { state: 'waiting', tries };
}

export const pollEveryMs = walletPoll.everySeconds * 1000;
