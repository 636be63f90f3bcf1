import { formError, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './challenge.module.css';
import type { Asked } from './question.ts';

interface QuestionFormProps {
  /** URL of the page that asked; the same form is posted again with the answer. */
  path: string;
  asked: Asked;
  fields: Record<string, string>;
}

/** Replaces the proof of work in a browser without script: a sum and a delay. */
export function QuestionForm({ path, asked, fields }: QuestionFormProps) {
  const { t, href } = usePage();
  const { challenge, left, right, waitSeconds, problem } = asked;
  const words = problem ? formError({ values: {}, errors: { problem } }, 'problem', t) : undefined;
  return (
    <Card>
      <h2>{t('challenge.title')}</h2>
      {words && <Notice kind="failure" role="alert" title={words} />}
      <p>{t('challenge.text', { seconds: waitSeconds })}</p>
      <form method="post" action={href(path)} className={styles.challenge} noValidate>
        {Object.entries({ ...fields, challenge }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field
          label={t('challenge.question', { left, right })}
          hint={t('challenge.hint')}
          name="answer"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          large
          required
        />
        <Button type="submit" block>
          {t('challenge.go')}
        </Button>
      </form>
    </Card>
  );
}
