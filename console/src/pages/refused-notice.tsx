import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { type Proposed, useMyRefused } from '../lib/use-own-proposals.ts';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { wrapped } from '../ui/wrapped.tsx';

/** Tells who proposed something that it was refused, and why; for seven days. */
export function RefusedNotice({ isHere = () => true }: { isHere?: (proposal: Proposed) => boolean }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const proposalName = useProposalName();
  const refused = (useMyRefused().data?.proposals ?? []).filter(isHere);
  if (refused.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="note" title={say('approvals.refusedMine')}>
      {refused.map((one) => (
        <Text key={one.id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} href={`/approvals/${one.id}`} c="inherit" underline="always">
            {sayOr(`approvals.kind.${one.kind}`)} · {proposalName(one)}
          </Anchor>
          {': '}
          {wrapped(
            say('approvals.refusedBy', {
              person: one.decidedBy ?? '',
              time: one.decidedAt ? time(one.decidedAt) : '',
              reason: one.note ?? '',
            }),
          )}
        </Text>
      ))}
    </Alert>
  );
}
