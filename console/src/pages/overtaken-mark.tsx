import { Badge, Text } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useLanguage } from '../lib/language.tsx';

type Overtaken = NonNullable<ConsoleResult<'approvals'>['proposals'][number]['overtaken']>;

/** Marks an outdated proposal, which can only be refused or withdrawn. */
export function OvertakenMark({ overtaken: { code, parameters } }: { overtaken: Overtaken }) {
  const { say } = useLanguage();
  return (
    <span>
      <Badge component="span" variant="light" color="yellow" tt="none" h="auto" style={{ whiteSpace: 'normal' }}>
        {say('approvals.overtaken')}
      </Badge>
      <Text span display="block" size="sm">
        {say(`problem.${code}`, parameters)}
      </Text>
    </span>
  );
}
