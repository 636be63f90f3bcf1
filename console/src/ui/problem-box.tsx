import { Alert, Button, Group } from '@mantine/core';
import { formatMoney } from '@portal/domain/money.ts';
import type { ReactNode } from 'react';
import { isSignedOut, Problem } from '../lib/api.ts';
import { figuresOf, type Language, useLanguage } from '../lib/language.tsx';

/** An error in the reader's language. */
export function problemWords({ code: language, say }: Language, error: unknown): string {
  if (!(error instanceof Problem)) return say('problem.failed');
  const { code, parameters, reference } = error;
  const named = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? formatMoney(value, figuresOf(language), value.digits) : value,
  ]);
  const sentence = say(`problem.${code}`, Object.fromEntries(named));
  return reference ? `${sentence} ${say('problem.reference', { reference })}` : sentence;
}

interface Props {
  problem: unknown;
  retry?: () => void;
  /** More about it, such as each of its places. */
  children?: ReactNode;
}

export function ProblemBox({ problem, retry, children }: Props) {
  const language = useLanguage();
  // The app shows that the session is over, and how to sign in again.
  if (isSignedOut(problem)) return null;
  return (
    <Alert color="red" role="alert" variant="light">
      {problemWords(language, problem)}
      {children}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {language.say('app.retry')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
