import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';

/** Link to an open proposal, which may be outdated. */
export function ProposalLink({ id, isWaiting = true }: { id: string; isWaiting?: boolean }) {
  const { say } = useLanguage();
  return (
    <Anchor component={Link} href={`/approvals/${id}`}>
      {say(isWaiting ? 'approvals.waits' : 'approvals.proposal')}
    </Anchor>
  );
}
