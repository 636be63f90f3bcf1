import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { call } from '../lib/api.ts';
import { keepFocus, pageContent } from '../lib/focus.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay } from '../lib/use-me.ts';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { wrapped } from '../ui/wrapped.tsx';
import { ContentPreview } from './content-preview.tsx';
import { VersionDiff } from './content-versions.tsx';
import { HeldRows } from './held-rows.tsx';
import { ProposalState } from './proposal-state.tsx';
import { ProposedChanges, ProposedSummary } from './proposed-changes.tsx';

type Proposal = ConsoleResult<'approval'>;

/** One proposal: its effect, the facts, and who may decide. */
export function ApprovalPage() {
  const { id = '' } = useParams<{ id: string }>();
  const proposal = useQuery({ queryKey: ['approval', id], queryFn: () => call('approval', { id }) });
  return <Loaded query={proposal}>{(shown) => <Shown proposal={shown} />}</Loaded>;
}

/** What approving does; of an erasure also how much is erased and how much stays, or did. */
function useEffectWords() {
  const { say } = useLanguage();
  const { money, time } = useFormat();
  const proposalName = useProposalName();
  return (proposal: Proposal): string => {
    const { kind, amount, currency, evidence, state } = proposal;
    const name = proposalName(proposal);
    const said = (what: string) => evidence.find((fact) => fact.what === what)?.detail;
    if (kind === 'publication' && state !== 'open') return say('approvals.was.publication', { name });
    const from = kind === 'publication' && said('from');
    if (from) return say('approvals.would.publicationAt', { name, time: time(from) });
    const would = say(`approvals.would.${kind}`, {
      amount: amount !== null && currency ? money(amount, currency) : '',
      name,
    });
    if (said('erased')) return say('approvals.erased', { name, erased: said('erased'), kept: said('kept') });
    return said('toErase')
      ? `${would} ${say('approvals.erasing', { erased: said('toErase'), kept: said('open') })}`
      : would;
  };
}

function Shown({ proposal }: { proposal: Proposal }) {
  const { sayOr } = useLanguage();
  const effect = useEffectWords()(proposal);
  const name = useProposalName()(proposal);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {sayOr(`approvals.kind.${proposal.kind}`)} · {wrapped(name)}
        </Title>
        <ProposalState proposal={proposal} size="lg" />
      </Group>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {wrapped(effect)}
      </Text>
      <Facts proposal={proposal} />
      <Evidence evidence={proposal.evidence} />
      {isSheet(proposal) && (
        <PageSection title="sheet.changes">
          <ProposedSummary id={proposal.id} />
          <ProposedChanges id={proposal.id} />
        </PageSection>
      )}
      {proposal.kind === 'publication' && <ProposedPreview evidence={proposal.evidence} />}
      <Deciding proposal={proposal} />
    </Stack>
  );
}

/** The customers’ pages with exactly the proposed versions in them. */
function ProposedPreview({ evidence }: Pick<Proposal, 'evidence'>) {
  const versions = new Map(evidence.flatMap(({ compare }) => (compare ? [[compare.page, compare.to] as const] : [])));
  const [page = ''] = versions.keys();
  const name = page.slice(page.lastIndexOf('/') + 1);
  const found = useQuery({ queryKey: ['content', name], queryFn: () => call('content', { name }) });
  return (
    <Loaded query={found}>
      {({ pages, ...content }) => (
        <ContentPreview
          text="approvals.previewText"
          found={{
            ...content,
            pages: pages.map((one) => ({ ...one, working: versions.get(one.page) ?? one.shown.version })),
          }}
        />
      )}
    </Loaded>
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
    [say('sheet.startLabel'), proposal.startsAt && time(proposal.startsAt)],
    [say('col.until'), proposal.state === 'open' && !proposal.overtaken ? time(proposal.expiresAt) : ''],
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

type Known = Proposal['evidence'][number];

const times: readonly string[] = ['startsAt', 'endsAt', 'from'];

/** Facts that are codes, with the texts for them. */
const detailWords: Record<string, string> = { state: 'state', provider: 'side', delivery: 'side', health: 'today' };

/** The facts as text; versions of a page are compared in full width. */
function useKnownRows() {
  const { sayOr } = useLanguage();
  const { money, time } = useFormat();
  const languageName = useLanguageName();
  const pageName = (page: string, locale: string | undefined) => {
    const title = sayOr(`contentName.${page.slice(page.lastIndexOf('/') + 1)}`);
    return locale ? `${title} (${languageName(locale)})` : title;
  };
  const wordsOf = (what: string, detail: string) => {
    if (times.includes(what)) return time(detail);
    if (what.startsWith('roles') || what === 'anotherPasskey' || what === 'letInAgain')
      return detail
        .split(' ')
        .map((role) => sayOr(`role.${role}`))
        .join(', ');
    const group = detailWords[what];
    return group ? sayOr(`${group}.${detail}`) : detail;
  };
  return ({ what, detail, amount, currency, locale, compare }: Known) => {
    if (compare) return [pageName(compare.page, locale), <Compared key={compare.page} {...compare} />] as const;
    const sum = amount !== null && currency ? money(amount, currency) : '';
    const label = locale ? `${sayOr(`known.${what}`)} (${languageName(locale)})` : sayOr(`known.${what}`);
    return [label, [sum, detail && wordsOf(what, detail)].filter(Boolean).join(' · ')] as const;
  };
}

function Evidence({ evidence }: Pick<Proposal, 'evidence'>) {
  const { say } = useLanguage();
  const rowOf = useKnownRows();
  if (evidence.length === 0) return null;
  const rows = evidence.filter(({ held }) => !held).map(rowOf);
  const held = evidence.flatMap((fact) => fact.held ?? []);
  return (
    <Card withBorder component="section" aria-label={say('approvals.known')}>
      <Title order={2} size="h4" mb="xs">
        {say('approvals.known')}
      </Title>
      <FactTable rows={rows} />
      {held.length > 0 && <HeldRows held={held} underWay={evidence.flatMap(({ underWay }) => underWay ?? [])} />}
    </Card>
  );
}

const isSheet = ({ kind }: Proposal) => kind === 'catalogue' || kind === 'places';

/** Two versions of a page, with a link to both. */
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
  const { id, digest, actions, kind, amount, currency } = proposal;
  const effect = useEffectWords()(proposal);
  const reload = () =>
    Promise.all(
      ['approval', 'approvals', 'payment', 'ways', 'sheet', 'sheetWaiting', 'sheetChanges', 'content', 'contents'].map(
        (key) => queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
  /** If somebody else decided first, their name is shown and no buttons. */
  async function unlessDecided(problem: unknown): Promise<void> {
    const now = await call('approval', { id }).catch(() => null);
    if (!now || now.state === 'open') throw problem;
    const person = now.decidedBy ?? now.proposedBy;
    notifications.show({ message: say(`approvals.meanwhile.${now.state}`, { person }), autoClose: 15_000 });
  }
  const withdraw = useAct({
    mutationFn: () => call('withdrawProposal', { id }).catch(unlessDecided),
    onSettled: reload,
  });
  // Once it is decided, its buttons are gone, and the focus with them.
  useDidUpdate(() => keepFocus(pageContent()), [proposal.state]);
  const isOwn = actions.withdraw;
  const isPlanned = kind === 'publication' && proposal.evidence.some(({ what }) => what === 'from');
  // Disabled until everything has loaded: nobody approves unseen changes, and a growing page would move the button
  // under the pointer.
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const rowOf = useKnownRows();
  const sum = amount !== null && currency ? money(amount, currency) : '';
  return (
    <Stack>
      {proposal.overtaken && (
        <Alert color="yellow" variant="light" role="note" title={say('approvals.overtaken')}>
          {say(`problem.${proposal.overtaken.code}`, proposal.overtaken.parameters)}{' '}
          {say(isOwn ? 'approvals.overtakenOwn' : 'approvals.overtakenOther', { person: proposal.proposedBy })}
        </Alert>
      )}
      {isOwn && !proposal.overtaken && <Text size="sm">{say('approvals.own')}</Text>}
      <Group>
        {actions.approve && (
          <Button disabled={isLoading} onClick={() => setAsked('approve')}>
            {say('approvals.approve')}
          </Button>
        )}
        {actions.refuse && (
          <Button variant="default" onClick={() => setAsked('refuse')}>
            {say('approvals.refuse')}
          </Button>
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
          warning={isSheet(proposal) && <ProposedSummary id={id} />}
          text={effect}
          action={say('approvals.approve')}
          close={() => setAsked(null)}
          act={() =>
            call('approve', { id, digest }).then(
              () => notifications.show({ message: sayOr(`approvals.done.${isPlanned ? 'publicationAt' : kind}`) }),
              unlessDecided,
            )
          }
          settled={reload}
          size={isSheet(proposal) || kind === 'publication' ? 'xl' : 'md'}
        >
          <FactTable
            rows={[
              [say('col.amount'), sum],
              [say('col.reason'), proposal.reason],
              [say('col.proposedBy'), proposal.proposedBy],
              ...proposal.evidence.map(rowOf),
            ]}
          />
          {isSheet(proposal) && <ProposedChanges id={id} />}
        </ConfirmDialog>
      )}
      {asked === 'refuse' && (
        <ReasonDialog
          title={say('approvals.refuseTitle')}
          text={say('approvals.refuseText')}
          action={say('approvals.refuse')}
          close={() => setAsked(null)}
          draft={`refuse ${id}`}
          act={async (reason) => {
            await call('refuseProposal', { id, reason }).catch(unlessDecided);
            await reload();
          }}
        />
      )}
    </Stack>
  );
}
