import { contract } from '@portal/contract/contract.ts';
import { expect, test } from 'vitest';
import { feedbackBody, feedbackErrors } from './feedback.ts';

const good = { topic: 'network', message: 'No signal in Ampefy since Monday.', email: '' };

test('a topic and a short message are enough; an email is validated only where one is given', () => {
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

test('the request has what the call takes, including line breaks', () => {
  const body = feedbackBody({ ...good, message: 'one line\r\n\r\nanother line', email: 'a@example.mg' });
  expect(contract.saveForm.body.safeParse(body).success).toBe(true);
  expect(body.data.message).toBe('one line / another line');
});
