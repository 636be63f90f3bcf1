import { Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { tellProved } from '../lib/proved.ts';

/** The window in which somebody has shown once more who they are: what they began waits in another one. */
export function ProvedPage() {
  const { say } = useLanguage();
  useEffect(() => {
    tellProved();
    window.close();
  }, []);
  return (
    <Stack>
      <Title order={1}>{say('proved.title')}</Title>
      <Text>{say('proved.text')}</Text>
    </Stack>
  );
}
