import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';

interface Props {
  id: string;
  isWaiting?: boolean;
  /** In an alert, where the colour of links is hard to read. */
  isInAlert?: boolean;
}

/** Link to an open proposal, which may be outdated. */
export function ProposalLink({ id, isWaiting = true, isInAlert = false }: Props) {
  const { say } = useLanguage();
  return (
    <Anchor
      component={Link}
      href={`/approvals/${id}`}
      {...(isInAlert ? { c: 'inherit', underline: 'always' as const } : {})}
    >
      {say(isWaiting ? 'approvals.waits' : 'approvals.proposal')}
    </Anchor>
  );
}
