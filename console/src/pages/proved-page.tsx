import { Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { tellProved } from '../lib/step-up.ts';

/** The step-up window: after its success the work continues in the window that opened it. */
export function ProvedPage() {
  const { say } = useLanguage();
  const isOther = new URLSearchParams(window.location.search).get('problem') === 'otherPerson';
  useEffect(() => {
    if (isOther) return;
    tellProved();
    window.close();
  }, [isOther]);
  return (
    <Stack role={isOther ? 'alert' : undefined}>
      <Title order={1}>{say(isOther ? 'proved.otherTitle' : 'proved.title')}</Title>
      <Text>{say(isOther ? 'proved.otherText' : 'proved.text')}</Text>
    </Stack>
  );
}
