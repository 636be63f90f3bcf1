import { Stack, Text, Title } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';
import { SheetView } from './sheet-view.tsx';

/** Bundles and prices, with scheduled changes. */
export function CataloguePage() {
  const { say } = useLanguage();
  return (
    <Stack>
      <Title order={1}>{say('catalogue.title')}</Title>
      <Text>{say('catalogue.text')}</Text>
      <SheetView name="catalogue" />
    </Stack>
  );
}
