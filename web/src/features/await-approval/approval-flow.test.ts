import { describe, expect, test } from 'vitest';
import { type Approval, type ApprovalAnswer, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';

const status = (value: string): ApprovalAnswer => ({ kind: 'status', status: value });
const after = (answers: ApprovalAnswer[], maxTries: number): Approval =>
  answers.reduce<Approval>((approval, answer) => afterPoll(approval, answer, maxTries), firstApproval);

describe('waiting for approval', () => {
  test('asks every ten seconds', () => {
    expect(pollEveryMs).toBe(10_000);
  });

  test('goes on while IN_PROCESS, and no longer than so many tries', () => {
    const waiting = Array.from({ length: 9 }, () => status('IN_PROCESS'));
    expect(after(waiting, 10)).toEqual({ state: 'waiting', tries: 9 });
    expect(after([...waiting, status('IN_PROCESS')], 10)).toEqual({ state: 'over' });
  });

  test.each(['SUCCESS', 'FAILED', 'FALIURE', 'REQUEST_RAISED', 'REQUEST_REGISTERED', 'ALREADY_PROCESSED', ''])(
    'any other status (%s) is for the status page to tell',
    (value) => {
      expect(after([status('IN_PROCESS'), status(value)], 10)).toEqual({ state: 'over' });
    },
  );

  test('MNY-1 a provider that gave no clear answer is for the status page to tell: there may be nothing to approve', () => {
    expect(after([{ kind: 'status', status: 'IN_PROCESS', isUnclear: true }], 10)).toEqual({ state: 'over' });
  });

  test('no answer counts as a try and proves nothing', () => {
    expect(after([{ kind: 'noAnswer' }, { kind: 'noAnswer' }], 10)).toEqual({ state: 'waiting', tries: 2 });
    expect(after([{ kind: 'noAnswer' }], 1)).toEqual({ state: 'over' });
  });

  test('what is over stays over', () => {
    expect(after([status('SUCCESS'), status('IN_PROCESS')], 10)).toEqual({ state: 'over' });
  });
});
