import { Badge } from '@mantine/core';
import { useStateWords } from '../lib/use-state-words.ts';

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
export function StateBadge({ state, type }: { state: string; type?: string }) {
  const words = useStateWords();
  return (
    <Badge variant="light" color={colours[state] ?? 'indigo'} tt="none" size="lg" style={{ maxWidth: '100%' }}>
      {words(state, type)}
    </Badge>
  );
}
