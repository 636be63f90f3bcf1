import { Alert, Button, Group } from '@mantine/core';
import { Problem } from '../lib/api.ts';
import { type Language, useLanguage } from '../lib/language.tsx';

/** What went wrong, in one sentence; what the area that refused says stands behind it. */
export function problemWords({ sayOr }: Language, error: unknown): string {
  if (!(error instanceof Problem)) return sayOr('problem.failed');
  return [sayOr(`problem.${error.code}`), error.detail].filter(Boolean).join(' ');
}

export function ProblemBox({ problem, retry }: { problem: unknown; retry?: () => void }) {
  const language = useLanguage();
  return (
    <Alert color="red" role="alert" variant="light">
      {problemWords(language, problem)}
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
