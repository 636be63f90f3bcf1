import { Button, Group, Stack, Text } from '@mantine/core';
import { Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProveButton } from './prove-button.tsx';

export const mustProve = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'proveAgain';

/** Asks for a fresh proof of identity (step-up). */
export function ProveAgain({ proved, cancel }: { proved: () => void; cancel?: () => void }) {
  const { say } = useLanguage();
  return (
    <Stack role="alert">
      <Text>{say('problem.proveAgain')}</Text>
      <Group justify="flex-end">
        {cancel && (
          <Button variant="default" onClick={cancel}>
            {say('app.cancel')}
          </Button>
        )}
        <ProveButton proved={proved} />
      </Group>
    </Stack>
  );
}
