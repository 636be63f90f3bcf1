import { Badge } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';

const colours: Record<string, string> = {
  SUCCEEDED: 'teal',
  FAILED: 'gray',
  REFUNDED: 'blue',
  REVIEW: 'red',
  UNKNOWN: 'yellow',
  FULFIL_UNKNOWN: 'yellow',
  REFUND_UNKNOWN: 'yellow',
};

/** The state as text; the colour only supports it. */
export function StateBadge({ state }: { state: string }) {
  const { sayOr } = useLanguage();
  return (
    <Badge variant="light" color={colours[state] ?? 'indigo'} tt="none" size="lg" style={{ maxWidth: '100%' }}>
      {sayOr(`state.${state}`)}
    </Badge>
  );
}
