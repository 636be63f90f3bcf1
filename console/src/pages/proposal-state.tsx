import { Badge, type BadgeProps } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';
import type { Proposed } from '../lib/use-own-proposals.ts';

interface Props extends Pick<BadgeProps, 'size'> {
  proposal: Pick<Proposed, 'state' | 'overtaken' | 'isMine'>;
}

/** For whom it waits, or how it ended. */
export function ProposalState({ proposal: { state, overtaken, isMine }, size }: Props) {
  const { sayOr } = useLanguage();
  return (
    <Badge variant={isMine ? 'filled' : 'light'} tt="none" miw="max-content" {...(size ? { size } : {})}>
      {sayOr(`approvals.state.${overtaken ? 'expired' : isMine ? 'mine' : state}`)}
    </Badge>
  );
}
