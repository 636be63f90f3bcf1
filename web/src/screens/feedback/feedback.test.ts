import { contract } from '@portal/contract/contract.ts';
import { expect, test } from 'vitest';
import { feedbackBody, feedbackErrors } from './feedback.ts';

const good = { topic: 'network', message: 'No signal in Ampefy since Monday.', email: '' };

test('a topic and a few words are enough; an email is checked only where one is given', () => {
  expect(feedbackErrors(good)).toEqual({});
  expect(feedbackErrors({ ...good, email: 'a@example.mg' })).toEqual({});
  expect(feedbackErrors({ topic: '', message: '  ', email: 'a b@c' })).toEqual({
    topic: 'feedback.topicMissing',
    message: 'feedback.messageMissing',
    email: 'feedback.emailInvalid',
  });
  expect(feedbackErrors({ ...good, message: 'bad' })).toEqual({ message: 'feedback.messageShort' });
  expect(feedbackErrors({ ...good, topic: '<script>' })).toEqual({ topic: 'feedback.topicMissing' });
});

test('what is sent is what the call takes, line breaks and all', () => {
  const body = feedbackBody({ ...good, message: 'one line\r\n\r\nanother line', email: 'a@example.mg' });
  expect(contract.saveForm.body.safeParse(body).success).toBe(true);
  expect(body.data.message).toBe('one line / another line');
});
