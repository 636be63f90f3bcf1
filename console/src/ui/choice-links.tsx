import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';

interface Choice {
  href: string;
  label: string;
  isChosen: boolean;
}

/** Switches between several lists; each has its own URL. */
export function ChoiceLinks({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <Group gap="xs" role="group" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.href}
          component={Link}
          href={choice.href}
          size="xs"
          variant={choice.isChosen ? 'filled' : 'default'}
          aria-current={choice.isChosen ? 'page' : undefined}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  );
}
