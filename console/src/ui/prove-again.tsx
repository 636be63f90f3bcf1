import { Stack, Text } from '@mantine/core';
import { Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProveButton } from './prove-button.tsx';

export const mustProve = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'proveAgain';

/** Says that one has to show once more who one is, and lets one. */
export function ProveAgain({ proved }: { proved: () => void }) {
  const { say } = useLanguage();
  return (
    <Stack role="alert">
      <Text>{say('problem.proveAgain')}</Text>
      <ProveButton proved={proved} />
    </Stack>
  );
}
