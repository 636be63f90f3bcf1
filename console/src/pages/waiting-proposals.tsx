import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import type { Proposed } from '../lib/use-own-proposals.ts';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { OvertakenMark } from './overtaken-mark.tsx';
import { ProposalLink } from './proposal-link.tsx';
import { RefusedNotice } from './refused-notice.tsx';

type Kind = 'publication' | 'catalogue' | 'places';

function useWaiting(kind: Kind) {
  const open = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () => call('approvals', { list: 'undecided' }),
  });
  return (open.data?.proposals ?? []).filter((one) => one.kind === kind);
}

interface Props {
  kind: Kind;
  /** Only publications of this package. */
  of?: string;
}

/** Pending proposals, so that nobody proposes the same change again, and what was refused of one's own. */
export function WaitingProposals({ kind, of }: Props) {
  const { say } = useLanguage();
  const proposalName = useProposalName();
  const isHere = ({ name }: Proposed) => of === undefined || name.split(' ')[0] === of;
  const waiting = useWaiting(kind).filter(isHere);
  const refused = <RefusedNotice isHere={(one) => one.kind === kind && isHere(one)} />;
  if (waiting.length === 0) return refused;
  return (
    <Stack gap={4}>
      {refused}
      {waiting.map((proposal) => (
        <div key={proposal.id}>
          {/* An outdated proposal waits for nobody. */}
          {proposal.overtaken && <OvertakenMark overtaken={proposal.overtaken} />}
          <Text size="sm">
            <ProposalLink id={proposal.id} isWaiting={!proposal.overtaken} /> · {proposalName(proposal)} ·{' '}
            {say('payment.proposedBy', { person: proposal.proposedBy, reason: proposal.reason })}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
