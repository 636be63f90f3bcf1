import { Button, Stack, Text } from '@mantine/core';
import { loginAddress, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';

export const mustProve = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'proveAgain';

/** Leads to the sign-in and back to this page. */
export function ProveAgain() {
  const { say } = useLanguage();
  return (
    <Stack role="alert">
      <Text>{say('payment.prove')}</Text>
      <Button component="a" href={loginAddress({ again: true })}>
        {say('payment.proveButton')}
      </Button>
    </Stack>
  );
}
