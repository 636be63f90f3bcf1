import { feedbackLists } from '@portal/domain/feedback.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

const id = z.string().min(1).max(40);

const listed = z.object({
  id: z.string(),
  /** The form of the portal. */
  form: z.string(),
  /** The chosen topic, where the form has one; a code that the console has a text for. */
  topic: z.string().nullable(),
  language: z.string(),
  createdAt: time,
  /** An email was left, so the feedback page promised an answer. */
  wantsAnswer: z.boolean(),
  done: z.object({ at: time, by: z.string() }).nullable(),
  /** The beginning of the message, with numbers and emails masked. */
  beginning: z.string(),
});

export const feedbackCalls = {
  feedback: defineConsoleCall({
    summary: 'What visitors wrote to the operator, the newest first: what it is about and how it begins, masked',
    permission: 'feedback.read',
    query: z.object({ list: z.enum(feedbackLists), before: z.string().max(200).optional() }),
    result: z.object({ entries: z.array(listed), next: z.string().nullable() }),
  }),
  feedbackEntry: defineConsoleCall({
    summary: 'What one visitor wrote; numbers and emails in it are masked',
    permission: 'feedback.read',
    query: z.object({ id }),
    result: listed.extend({
      email: z.string().nullable(),
      fields: z.array(
        z.object({
          name: z.string(),
          value: z.string(),
          /** The list shows only a part of it. */
          isMasked: z.boolean(),
        }),
      ),
    }),
  }),
  revealFeedback: defineConsoleCall({
    summary: 'The email, or one field of what a visitor wrote, in full',
    permission: 'feedback.reveal',
    body: z.object({ id, field: z.string().min(1).max(64), reason }),
    result: z.object({ value: z.string() }),
  }),
  markFeedback: defineConsoleCall({
    summary: 'Marks what a visitor wrote as done, or as open again',
    permission: 'feedback.work',
    body: z.object({ id, isDone: z.boolean() }),
    result: z.null(),
  }),
};
