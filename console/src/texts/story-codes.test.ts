import { auditActs } from '@portal/contract/console/acts.ts';
import { approvalKinds } from '@portal/contract/console/approval-kinds.ts';
import { storyCodes } from '@portal/contract/console/story.ts';
import { paymentStates } from '@portal/domain/payment/transitions.ts';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { mg } from './mg.ts';

test.each(Object.entries({ en, fr, mg }))('every code of a payment’s story has words in %s', (_name, texts) => {
  const codes = [...storyCodes, ...paymentStates.map((state) => `state.${state}`)];
  expect(codes.filter((code) => !(code in texts))).toEqual([]);
});

test.each(Object.entries({ en, fr, mg }))('every act of the audit has words in %s', (_name, texts) => {
  const worded = auditActs.flatMap((act) => {
    const [kind = '', step = ''] = act.split('.');
    const isOfApproval = (approvalKinds as readonly string[]).includes(kind) && `step.${step}` in texts;
    return isOfApproval ? [`approvals.kind.${kind}`] : [`act.${act}`];
  });
  expect(worded.filter((code) => !(code in texts))).toEqual([]);
});
