import { describe, expect, test } from 'vitest';
import { type Approval, type ApprovalAnswer, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';

const status = (value: string): ApprovalAnswer => ({ kind: 'status', status: value });
const after = (answers: ApprovalAnswer[], maxTries: number): Approval =>
  answers.reduce<Approval>((approval, answer) => afterPoll(approval, answer, maxTries), firstApproval);

describe('waiting for approval', () => {
  test('polls every ten seconds', () => {
    expect(pollEveryMs).toBe(10_000);
  });

  test('polls while IN_PROCESS, up to the maximum of tries', () => {
    const waiting = Array.from({ length: 9 }, () => status('IN_PROCESS'));
    expect(after(waiting, 10)).toEqual({ state: 'waiting', tries: 9 });
    expect(after([...waiting, status('IN_PROCESS')], 10)).toEqual({ state: 'over' });
  });

  test.each(['SUCCESS', 'FAILED', 'FALIURE', 'REQUEST_RAISED', 'REQUEST_REGISTERED', 'ALREADY_PROCESSED', ''])(
    'any other status (%s) leads to the status page',
    (value) => {
      expect(after([status('IN_PROCESS'), status(value)], 10)).toEqual({ state: 'over' });
    },
  );

  test('MNY-1 an unclear answer of the provider leads to the status page, as there may be nothing to approve', () => {
    expect(after([{ kind: 'status', status: 'IN_PROCESS', isUnclear: true }], 10)).toEqual({ state: 'over' });
  });

  test('a poll without a response counts as a try and changes nothing', () => {
    expect(after([{ kind: 'noAnswer' }, { kind: 'noAnswer' }], 10)).toEqual({ state: 'waiting', tries: 2 });
    expect(after([{ kind: 'noAnswer' }], 1)).toEqual({ state: 'over' });
  });

  test('an ended flow ignores further events', () => {
    expect(after([status('SUCCESS'), status('IN_PROCESS')], 10)).toEqual({ state: 'over' });
  });
});
