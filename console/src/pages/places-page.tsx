import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useLanguage } from '../lib/language.tsx';
import { SheetView } from './sheet-view.tsx';

const tables = ['shops', 'sites', 'towns'] as const;

/** Shops, sites and towns. The chosen table is in the URL. */
export function PlacesPage() {
  const { say } = useLanguage();
  const [search] = useSearchParams();
  const name = tables.find((one) => one === search.get('table')) ?? 'shops';
  return (
    <Stack>
      <Title order={1}>{say('places.title')}</Title>
      <Text>{say('places.text')}</Text>
      <Group gap="xs" role="group" aria-label={say('places.which')}>
        {tables.map((one) => (
          <Button
            key={one}
            component={Link}
            href={`/places?table=${one}`}
            size="xs"
            variant={one === name ? 'filled' : 'default'}
            aria-current={one === name ? 'page' : undefined}
          >
            {say(`sheet.${one}`)}
          </Button>
        ))}
      </Group>
      <SheetView key={name} name={name} />
    </Stack>
  );
}
