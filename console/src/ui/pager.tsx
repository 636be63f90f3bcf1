import { Button, Group, Text } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';

interface Props {
  /** The number of rows before the shown ones. */
  skip: number;
  most: number;
  total: number;
  turn: (skip: number) => void;
}

/** Turns the pages of a list whose length must not push what stands below it out of reach. */
export function Pager({ skip, most, total, turn }: Props) {
  const { say } = useLanguage();
  if (total <= most) return null;
  return (
    <Group>
      <Button variant="default" size="compact-sm" disabled={skip === 0} onClick={() => turn(skip - most)}>
        {say('app.previous')}
      </Button>
      <Text size="sm" role="status">
        {say('app.rowsOf', { from: skip + 1, to: Math.min(skip + most, total), total })}
      </Text>
      <Button variant="default" size="compact-sm" disabled={skip + most >= total} onClick={() => turn(skip + most)}>
        {say('app.next')}
      </Button>
    </Group>
  );
}
