import { Badge } from '@mantine/core';
import type { WayHealth } from '@portal/domain/payment/way-health.ts';
import { useLanguage } from '../lib/language.tsx';

const colours: Record<WayHealth, string> = { works: 'teal', slow: 'yellow', trouble: 'red', noRecentData: 'gray' };

/** Health of a payment method, as text. */
export function HealthBadge({ health }: { health: WayHealth }) {
  const { say } = useLanguage();
  return (
    <Badge variant="light" color={colours[health]} tt="none" miw="max-content">
      {say(`today.${health}`)}
    </Badge>
  );
}
