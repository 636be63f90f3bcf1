import { Alert, Text } from '@mantine/core';
import type { SheetWaiting } from '@portal/contract/console/sheets.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProposalLink } from './proposal-link.tsx';

interface Props {
  waiting: readonly SheetWaiting[];
  /** What it means where it is shown: before a change is proposed, or before one is approved. */
  text: 'sheet.sameWaits' | 'sheet.someWait' | 'approvals.overtakes';
}

/** Every open proposal for the same entries: of two, only the first to be approved can be carried out. */
export function WaitingChanges({ waiting, text }: Props) {
  const { say } = useLanguage();
  if (waiting.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="note">
      {waiting.map(({ id, proposedBy, keys, count }) => (
        <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {say(text, { person: proposedBy, entries: keys.join(', ') + (count > keys.length ? ', …' : ''), count })}{' '}
          <ProposalLink id={id} isInAlert />
        </Text>
      ))}
    </Alert>
  );
}
