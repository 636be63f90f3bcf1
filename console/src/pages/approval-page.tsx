import { Anchor, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Part } from '../ui/part.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { VersionDiff } from './content-versions.tsx';
import { SheetChanges } from './sheet-changes.tsx';

type Proposal = ConsoleResult<'approval'>;

/** One proposal: what would happen, what is known, and who may decide. */
export function ApprovalPage() {
  const { id = '' } = useParams<{ id: string }>();
  const proposal = useQuery({ queryKey: ['approval', id], queryFn: () => call('approval', { id }) });
  return <Loaded query={proposal}>{(shown) => <Shown proposal={shown} />}</Loaded>;
}

function Shown({ proposal }: { proposal: Proposal }) {
  const { say, sayOr } = useLanguage();
  const { money } = useFormat();
  const amount = proposal.amount !== null && proposal.currency ? money(proposal.amount, proposal.currency) : '';
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {sayOr(`approvals.kind.${proposal.kind}`)} · {proposal.name}
        </Title>
        <Badge variant="light" size="lg" tt="none">
          {sayOr(`approvals.state.${proposal.state}`)}
        </Badge>
      </Group>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {say(`approvals.would.${proposal.kind}`, { amount, name: proposal.name })}
      </Text>
      <Facts proposal={proposal} />
      <Evidence evidence={proposal.evidence} />
      {(proposal.kind === 'catalogue' || proposal.kind === 'places') && <Changes id={proposal.id} />}
      <Deciding proposal={proposal} />
    </Stack>
  );
}

function Facts({ proposal }: { proposal: Proposal }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const may = useMay();
  const { subject, decidedBy, decidedAt, note, outcome } = proposal;
  const rows = [
    [say('col.reason'), proposal.reason],
    [say('col.proposedBy'), `${proposal.proposedBy} · ${time(proposal.proposedAt)}`],
    [say('col.until'), proposal.state === 'open' ? time(proposal.expiresAt) : ''],
    [say('approvals.decidedBy'), decidedAt ? [decidedBy, time(decidedAt)].filter(Boolean).join(' · ') : ''],
    [say('approvals.note'), note],
    [say('approvals.outcome'), outcome && sayOr(`outcome.${outcome}`)],
  ] as const;
  return (
    <Card withBorder component="section" aria-label={say('payment.facts')}>
      <FactTable rows={rows} />
      {subject.kind === 'payment' && may('payments.find') && (
        <Anchor component={Link} href={`/payments/${subject.id}`} mt="sm" size="sm">
          {say('approvals.story')}
        </Anchor>
      )}
    </Card>
  );
}

const times: readonly string[] = ['startsAt', 'endsAt', 'from'];

/** What is known as a code, and which words tell it. */
const detailWords: Record<string, string> = { state: 'state', provider: 'side', delivery: 'side', health: 'today' };

function Evidence({ evidence }: Pick<Proposal, 'evidence'>) {
  const { say, sayOr } = useLanguage();
  const { money, time } = useFormat();
  if (evidence.length === 0) return null;
  const wordsOf = (what: string, detail: string) => {
    if (times.includes(what)) return time(detail);
    const group = detailWords[what];
    return group ? sayOr(`${group}.${detail}`) : detail;
  };
  const rows = evidence.map(({ what, detail, amount, currency, compare }) => {
    if (compare) return [compare.page, <Compared key={compare.page} {...compare} />] as const;
    const sum = amount !== null && currency ? money(amount, currency) : '';
    return [sayOr(`known.${what}`), [sum, detail && wordsOf(what, detail)].filter(Boolean).join(' · ')] as const;
  });
  return (
    <Card withBorder component="section" aria-label={say('approvals.known')}>
      <Title order={2} size="h4" mb="xs">
        {say('approvals.known')}
      </Title>
      <FactTable rows={rows} />
    </Card>
  );
}

/** All that would change in a table: nobody approves what they were not shown. */
function Changes({ id }: { id: string }) {
  const { say } = useLanguage();
  const found = useInfiniteQuery({
    queryKey: ['sheetChanges', id],
    queryFn: ({ pageParam }) => call('sheetChanges', { id, skip: String(pageParam) }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * sheetPage < total ? pages.length * sheetPage : undefined),
  });
  const [first] = found.data?.pages ?? [];
  return (
    <Part title="sheet.changes">
      {found.error && <ProblemBox problem={found.error} retry={() => void found.refetch()} />}
      {first && (
        <SheetChanges changes={found.data?.pages.flatMap(({ changes }) => changes) ?? []} columns={first.columns} />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </Part>
  );
}

/** Two versions of a page, and where both are to be seen. */
function Compared({ page, from, to }: { page: string; from: number; to: number }) {
  const { say } = useLanguage();
  const label = say('content.fromTo', { from, to });
  return (
    <Stack gap={4}>
      <Anchor component={Link} href={`/content/${page.slice(page.lastIndexOf('/') + 1)}`} size="sm">
        {label}
      </Anchor>
      <VersionDiff page={page} from={from} to={to} label={label} />
    </Stack>
  );
}

function Deciding({ proposal }: { proposal: Proposal }) {
  const { say, sayOr } = useLanguage();
  const { money } = useFormat();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'approve' | 'refuse' | null>(null);
  const { id, digest, actions, kind, name, amount, currency } = proposal;
  const reload = () =>
    Promise.all(
      ['approval', 'approvals', 'payment', 'ways', 'sheet', 'content', 'contents'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
  const withdraw = useMutation({ mutationFn: () => call('withdrawProposal', { id }), onSettled: reload });
  const isOwn = actions.withdraw;
  return (
    <Stack>
      {isOwn && <Text size="sm">{say('approvals.own')}</Text>}
      <Group>
        {actions.decide && (
          <>
            <Button onClick={() => setAsked('approve')}>{say('approvals.approve')}</Button>
            <Button variant="default" onClick={() => setAsked('refuse')}>
              {say('approvals.refuse')}
            </Button>
          </>
        )}
        {isOwn && (
          <Button variant="default" onClick={() => withdraw.mutate()} loading={withdraw.isPending}>
            {say('approvals.withdraw')}
          </Button>
        )}
      </Group>
      {withdraw.error && <ProblemBox problem={withdraw.error} />}
      {asked === 'approve' && (
        <ConfirmDialog
          title={say('approvals.approveTitle')}
          text={say(`approvals.would.${kind}`, {
            amount: amount !== null && currency ? money(amount, currency) : '',
            name,
          })}
          action={say('approvals.approve')}
          close={() => setAsked(null)}
          act={async () => {
            await call('approve', { id, digest });
            notifications.show({ message: sayOr(`approvals.done.${kind}`) });
          }}
          settled={reload}
        />
      )}
      {asked === 'refuse' && (
        <ReasonDialog
          title={say('approvals.refuseTitle')}
          text={say('approvals.refuseText')}
          action={say('approvals.refuse')}
          close={() => setAsked(null)}
          draft={`refuse ${id}`}
          act={async (reason) => {
            await call('refuseProposal', { id, reason });
            await reload();
          }}
        />
      )}
    </Stack>
  );
}
