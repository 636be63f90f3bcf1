import { paths } from '@portal/domain/paths.ts';
import type { Acted, ActionContext, LoadContext, Loaded } from '../../lib/screen.ts';
import type { FeedbackLoaded } from './feedback.screen.tsx';
import { feedbackBody, feedbackErrors } from './feedback.ts';

export async function load({ query }: LoadContext): Promise<Loaded<FeedbackLoaded>> {
  return { loaded: { isSent: query.sent === '1' } };
}

export async function action({ form, api }: ActionContext): Promise<Acted> {
  const { topic = '', message = '', email = '' } = form;
  const values = { topic, message, email: email.trim() };
  const errors = feedbackErrors(values);
  if (Object.keys(errors).length > 0)
    return {
      form: { values, errors: Object.fromEntries(Object.entries(errors).map(([name, key]) => [name, { key }])) },
    };
  const answer = await api('saveForm', { body: feedbackBody(values) });
  if (!answer.ok) return { form: { values, errors: { form: { text: answer.message } } } };
  return { redirect: `${paths.feedback}?sent=1` };
}
