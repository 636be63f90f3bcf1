import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';

/** Link to a pending proposal. */
export function ProposalLink({ id }: { id: string }) {
  const { say } = useLanguage();
  return (
    <Anchor component={Link} href={`/approvals/${id}`}>
      {say('approvals.waits')}
    </Anchor>
  );
}
