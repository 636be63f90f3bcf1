import { paths } from '@portal/domain/paths.ts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { formError, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useEarlyInput } from '../../ui/early-input.ts';
import { Field } from '../../ui/field.tsx';
import { controlProps, FieldFrame } from '../../ui/field-frame.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import styles from './feedback.module.css';
import { type Feedback, feedbackBody, feedbackErrors, messageLimit, topics } from './feedback.ts';

export interface FeedbackLoaded {
  isSent: boolean;
}

export function Screen({ loaded }: ScreenProps<FeedbackLoaded>) {
  const { t, api, form, track } = usePage();
  const [values, setValues] = useState<Feedback>({
    topic: form?.values.topic ?? '',
    message: form?.values.message ?? '',
    email: form?.values.email ?? '',
  });
  const [tried, setTried] = useState(false);
  const [state, setState] = useState<'open' | 'sending' | 'sent' | { failure: string }>(
    loaded?.isSent ? 'sent' : 'open',
  );
  const messageId = useId();
  const message = useRef<HTMLTextAreaElement>(null);
  useEarlyInput(message);
  const errors = feedbackErrors(values);
  const errorOf = (name: keyof Feedback) => {
    const key = tried ? errors[name] : undefined;
    return key ? t(key) : tried ? undefined : formError(form, name, t);
  };
  // Several changes without a render in between: input made before hydration arrives all at once.
  const change = (name: keyof Feedback, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const set = (name: keyof Feedback) => (event: { currentTarget: { value: string } }) =>
    change(name, event.currentTarget.value);

  async function send(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(errors).length > 0 || state === 'sending') return;
    setState('sending');
    const answer = await api('saveForm', { body: feedbackBody(values) });
    setState(answer.ok ? 'sent' : { failure: answer.message });
    track(answer.ok ? 'success' : 'failure', 'feedback', answer.ok ? undefined : String(answer.code));
  }

  if (state === 'sent')
    return (
      <Notice
        kind="success"
        large
        role="status"
        title={<h1>{t('feedback.thanks')}</h1>}
        action={
          <ButtonLink as={Link} href={paths.home}>
            {t('common.toHome')}
          </ButtonLink>
        }
      >
        {t('feedback.thanksText')}
      </Notice>
    );
  return (
    <div className={styles.page}>
      <h1>{t('feedback.title')}</h1>
      <p>{t('feedback.lead')}</p>
      <Card>
        <form method="post" noValidate onSubmit={send} className={styles.form}>
          <SelectField
            name="topic"
            label={t('feedback.topic')}
            placeholder={t('feedback.choose')}
            options={topics.map((topic) => ({ value: topic, label: t(`feedback.topics.${topic}`) }))}
            value={values.topic}
            onChange={set('topic')}
            error={errorOf('topic')}
          />
          <FieldFrame id={messageId} label={t('feedback.message')} hint={t('feedback.hint')} error={errorOf('message')}>
            <textarea
              ref={message}
              {...controlProps(messageId, errorOf('message'))}
              name="message"
              rows={6}
              maxLength={messageLimit}
              value={values.message}
              onChange={set('message')}
              className={styles.message}
            />
          </FieldFrame>
          <Field
            name="email"
            type="email"
            autoComplete="email"
            label={t('feedback.email')}
            hint={t('feedback.emailHint')}
            value={values.email}
            onChange={set('email')}
            error={errorOf('email')}
          />
          {typeof state === 'object' && <Notice kind="failure" role="alert" title={state.failure} />}
          {formError(form, 'form', t) && <Notice kind="failure" role="alert" title={formError(form, 'form', t)} />}
          <Button type="submit" block busy={state === 'sending'}>
            {t('feedback.send')}
          </Button>
        </form>
      </Card>
    </div>
  );
}
