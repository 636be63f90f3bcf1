import { isEmail } from '@portal/domain/email.ts';

export const topics = ['payment', 'network', 'shop', 'bill', 'idea', 'other'] as const;
export const messageLimit = 2000;
const leastMessage = 10;

export interface Feedback {
  topic: string;
  message: string;
  email: string;
}

export type FeedbackErrors = Partial<Record<keyof Feedback, string>>;

/** Text keys of the errors by field; the server uses the same rules. */
export function feedbackErrors({ topic, message, email }: Feedback): FeedbackErrors {
  const length = message.trim().length;
  return {
    ...(topics.includes(topic as (typeof topics)[number]) ? {} : { topic: 'feedback.topicMissing' }),
    ...(length < leastMessage ? { message: length === 0 ? 'feedback.messageMissing' : 'feedback.messageShort' } : {}),
    ...(email !== '' && !isEmail(email) ? { email: 'feedback.emailInvalid' } : {}),
  };
}

export function feedbackBody({ topic, message, email }: Feedback) {
  return {
    formType: 'WEBPORTAL' as const,
    ...(email ? { email } : {}),
    // Line breaks are allowed in the text box but not in a field on the wire.
    data: {
      topic,
      message: message
        .trim()
        .replaceAll(/\s*[\r\n]+\s*/g, ' / ')
        .slice(0, messageLimit),
    },
  };
}
