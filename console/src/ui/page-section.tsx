import { Card, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage } from '../lib/language.tsx';
import type { TextKey } from '../texts/en.ts';

/** A section of a page, labelled by its title. */
export function PageSection({ title, children }: { title: TextKey; children: ReactNode }) {
  const { say } = useLanguage();
  return (
    <Card withBorder component="section" aria-label={say(title)}>
      <Title order={2} size="h4" mb="xs">
        {say(title)}
      </Title>
      {children}
    </Card>
  );
}
