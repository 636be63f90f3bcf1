import { Alert } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';

/** Names the filters in the URL that are invalid and were ignored. */
export function IgnoredFilters({ labels }: { labels: readonly string[] }) {
  const { say } = useLanguage();
  if (labels.length === 0) return null;
  return (
    <Alert role="status" color="yellow" variant="light">
      {say('app.unread', { names: labels.join(', ') })}
    </Alert>
  );
}
