import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import type { Proposed } from '../lib/use-own-proposals.ts';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { Rows } from '../ui/rows.tsx';
import { wrapped } from '../ui/wrapped.tsx';
import { OvertakenMark } from './overtaken-mark.tsx';
import { ProposalState } from './proposal-state.tsx';
import { RefusedNotice } from './refused-notice.tsx';

const lists = ['open', 'decided', 'expired'] as const;

function State({ proposal }: { proposal: Proposed }) {
  const { say, sayOr } = useLanguage();
  const { state, decidedBy, outcome, overtaken, note } = proposal;
  if (overtaken) return <OvertakenMark overtaken={overtaken} />;
  if (state === 'open') return <ProposalState proposal={proposal} />;
  return (
    <>
      {[sayOr(`approvals.state.${state}`), decidedBy, outcome && sayOr(`outcome.${outcome}`)]
        .filter(Boolean)
        .join(' · ')}
      {note && <Text size="sm">{wrapped(`${say('app.named', { name: say('approvals.note') })} ${note}`)}</Text>}
    </>
  );
}

/** Proposals that wait for a second person, and the decided ones. The filter is in the URL. */
export function ApprovalsPage() {
  const { say, sayOr } = useLanguage();
  const { time, money } = useFormat();
  const proposalName = useProposalName();
  const [search] = useSearchParams();
  const list = lists.find((one) => one === search.get('list')) ?? 'open';
  const approvals = useInfiniteQuery({
    queryKey: ['approvals', list],
    queryFn: ({ pageParam }) => call('approvals', { list, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
  });
  const rows = approvals.data?.pages.flatMap(({ proposals }) => proposals) ?? [];
  return (
    <Stack>
      <Title order={1}>{say('approvals.title')}</Title>
      <Text>{say('approvals.text')}</Text>
      <RefusedNotice />
      <ChoiceLinks
        label={say('approvals.lists')}
        choices={lists.map((one) => ({
          href: `/approvals?list=${one}`,
          label: say(`approvals.${one}`),
          isChosen: one === list,
        }))}
      />
      {approvals.error && <ProblemBox problem={approvals.error} retry={() => void approvals.refetch()} />}
      {approvals.isPending && <Text role="status">{say('app.loading')}</Text>}
      {approvals.data && rows.length === 0 ? (
        <Text role="status">{say(`approvals.none.${list}`)}</Text>
      ) : (
        <Rows
          label={say('approvals.title')}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'col.when', cell: ({ proposedAt }) => time(proposedAt) },
            {
              title: 'col.act',
              cell: (one) => (
                <Anchor component={Link} href={`/approvals/${one.id}`}>
                  {sayOr(`approvals.kind.${one.kind}`)} · {proposalName(one)}
                  {one.startsAt && `, ${say('sheet.from', { time: time(one.startsAt) })}`}
                </Anchor>
              ),
            },
            {
              title: 'col.amount',
              cell: ({ amount, currency }) => (amount !== null && currency ? money(amount, currency) : ''),
              isNumber: true,
            },
            { title: 'col.proposedBy', cell: ({ proposedBy }) => proposedBy },
            { title: 'col.reason', cell: ({ reason }) => reason },
            ...(list === 'open'
              ? [{ title: 'col.until' as const, cell: ({ expiresAt }: Proposed) => time(expiresAt) }]
              : []),
            { title: 'col.state', cell: (one) => <State proposal={one} /> },
          ]}
        />
      )}
      {approvals.hasNextPage && (
        <Button variant="default" onClick={() => approvals.fetchNextPage()} loading={approvals.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Stack>
  );
}
