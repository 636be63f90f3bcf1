import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';

/** Leads to what was proposed and waits for somebody else. */
export function ProposalLink({ id }: { id: string }) {
  const { say } = useLanguage();
  return (
    <Anchor component={Link} href={`/approvals/${id}`}>
      {say('approvals.waits')}
    </Anchor>
  );
}
