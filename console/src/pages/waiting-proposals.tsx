import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { OvertakenMark } from './overtaken-mark.tsx';
import { ProposalLink } from './proposal-link.tsx';

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

/** Pending proposals, so that nobody proposes the same change again. */
export function WaitingProposals({ kind, of }: Props) {
  const { say } = useLanguage();
  const proposalName = useProposalName();
  const waiting = useWaiting(kind).filter((one) => of === undefined || one.name.split(' ')[0] === of);
  if (waiting.length === 0) return null;
  return (
    <Stack gap={4}>
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
