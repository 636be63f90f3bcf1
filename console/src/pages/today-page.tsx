import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { useMyApprovals } from '../lib/use-own-proposals.ts';
import { useProposalName } from '../lib/use-proposal-name.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { BarChart } from '../ui/bar-chart.tsx';
import { HealthBadge } from '../ui/health-badge.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { Rows } from '../ui/rows.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { TicketBadge } from '../ui/ticket-badge.tsx';
import { RefusedNotice } from './refused-notice.tsx';

type Today = ConsoleResult<'today'>;

/** Today's figures, refetched every few seconds. */
export function TodayPage() {
  const { say } = useLanguage();
  const { time } = useFormat();
  const today = useQuery({ queryKey: ['today'], queryFn: () => call('today'), refetchInterval: 5_000 });
  return (
    <Stack>
      <Title order={1}>{say('today.title')}</Title>
      <Loaded query={today}>
        {(figures) => (
          <Stack>
            <Text size="sm" c="dimmed">
              {say('today.asOf', { time: time(figures.at) })}
            </Text>
            <RefusedNotice />
            <Sums sums={figures.sums} />
            <MyApprovals />
            <Waiting waiting={figures.waiting} />
            <Owed owed={figures.owed} />
            <Differences differences={figures.differences} />
            <Tickets tickets={figures.tickets} />
            <Minutes at={figures.at} minutes={figures.minutes} />
            <Ways ways={figures.ways} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

function Sums({ sums }: { sums: Today['sums'] }) {
  const { say } = useLanguage();
  const { money } = useFormat();
  return (
    <PageSection title="today.sums">
      {sums.length === 0 && <Text>{say('today.noSums')}</Text>}
      {sums.map(({ currency, ...kinds }) => (
        <SimpleGrid key={currency} cols={{ base: 1, xs: 3 }}>
          {(['taken', 'delivered', 'givenBack'] as const).map((kind) => (
            <div key={kind}>
              <Text size="sm" c="dimmed">
                {say(`today.${kind}`)}
              </Text>
              <Text fz={24} fw={700}>
                {money(kinds[kind].amount, currency)}
              </Text>
              <Text size="sm">{kinds[kind].count}</Text>
            </div>
          ))}
        </SimpleGrid>
      ))}
    </PageSection>
  );
}

/** What waits for this person's approval, the oldest first. */
function MyApprovals() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const may = useMay();
  const proposalName = useProposalName();
  const mine = useMyApprovals();
  if (!may('approvals.decide')) return null;
  return (
    <PageSection title="approvals.mine">
      <Loaded query={mine}>
        {({ proposals }) =>
          proposals.length === 0 ? (
            <Text>{say('approvals.noneMine')}</Text>
          ) : (
            <Rows
              label={say('approvals.mine')}
              rows={proposals.toReversed()}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'col.act',
                  cell: (one) => (
                    <Anchor component={Link} href={`/approvals/${one.id}`}>
                      {sayOr(`approvals.kind.${one.kind}`)} · {proposalName(one)}
                    </Anchor>
                  ),
                },
                { title: 'col.proposedBy', cell: ({ proposedBy }) => proposedBy },
                { title: 'col.reason', cell: ({ reason }) => reason },
                { title: 'col.until', cell: ({ expiresAt }) => time(expiresAt) },
              ]}
            />
          )
        }
      </Loaded>
    </PageSection>
  );
}

function Waiting({ waiting }: { waiting: Today['waiting'] }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  return (
    <PageSection title="today.waiting">
      {waiting.length === 0 ? (
        <Text>{say('today.noWaiting')}</Text>
      ) : (
        <Rows
          label={say('today.waiting')}
          rows={waiting}
          keyOf={({ state }) => state}
          columns={[
            { title: 'col.state', cell: ({ state }) => <StateBadge state={state} /> },
            { title: 'col.oldest', cell: ({ since }) => time(since) },
            { title: 'col.count', cell: ({ count }) => count, isNumber: true },
          ]}
        />
      )}
    </PageSection>
  );
}

/** Left out where nothing is owed, which is usual. */
function Owed({ owed }: { owed: Today['owed'] }) {
  const { say } = useLanguage();
  const { time, money } = useFormat();
  const opens = useMay()('leads.read');
  if (owed.length === 0) return null;
  return (
    <PageSection title="today.owed">
      <Text size="sm" mb="xs">
        {say('today.owedText')}
      </Text>
      <Rows
        label={say('today.owed')}
        rows={owed}
        keyOf={({ lead }) => lead}
        columns={[
          {
            title: 'col.request',
            cell: ({ lead }) =>
              opens ? (
                <Anchor component={Link} href={`/leads/${lead}`}>
                  {lead}
                </Anchor>
              ) : (
                lead
              ),
          },
          { title: 'col.waiting', cell: ({ since }) => time(since) },
          { title: 'col.amount', cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
        ]}
      />
    </PageSection>
  );
}

function Differences({ differences }: { differences: Today['differences'] }) {
  const { say } = useLanguage();
  const opens = useMay()('reconciliation.read');
  const found =
    differences === null
      ? say('today.notCompared')
      : differences.open === 0
        ? say('today.noDifferences')
        : say('today.differencesOpen', { count: differences.open });
  return (
    <PageSection title="today.differences">
      {opens && differences ? (
        <Anchor component={Link} href={`/reconciliation?day=${differences.day}`}>
          {found}
        </Anchor>
      ) : (
        <Text>{found}</Text>
      )}
      {differences && !differences.isComplete && <Text>{say('today.differencesOpenYet')}</Text>}
    </PageSection>
  );
}

function Tickets({ tickets }: { tickets: Today['tickets'] }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  return (
    <PageSection title="today.tickets">
      {tickets.length === 0 ? (
        <Text>{say('today.noTickets')}</Text>
      ) : (
        <Rows
          label={say('today.tickets')}
          rows={tickets}
          keyOf={({ state }) => state}
          columns={[
            { title: 'col.state', cell: ({ state }) => <TicketBadge state={state} /> },
            { title: 'col.promised', cell: ({ promisedAt }) => time(promisedAt) },
            { title: 'col.count', cell: ({ count }) => count, isNumber: true },
          ]}
        />
      )}
    </PageSection>
  );
}

/** A bar per minute, the newest on the right; a table below has the same figures. */
function Minutes({ at, minutes }: { at: string; minutes: Today['minutes'] }) {
  const { say } = useLanguage();
  const { hour } = useFormat();
  const most = Math.max(1, ...minutes.map(({ count }) => count));
  const all = minutes.reduce((sum, { count }) => sum + count, 0);
  const now = Math.floor(Date.parse(at) / 60_000);
  const counts = new Map(minutes.map((one) => [Math.floor(Date.parse(one.at) / 60_000), one.count]));
  const colour = 'var(--mantine-primary-color-filled)';
  return (
    <PageSection title="today.minutes">
      <BarChart
        label={say('today.minutesText', { count: all, most: all === 0 ? 0 : most })}
        choose={say('chart.minute', { name: say('today.minutes') })}
        bars={Array.from({ length: 61 }, (_, index) => {
          const minute = now - 60 + index;
          const key = new Date(minute * 60_000).toISOString();
          return { key, name: hour(key), parts: [{ name: say('col.count'), colour, count: counts.get(minute) ?? 0 }] };
        })}
      />
      <details>
        <summary>{say('today.asTable')}</summary>
        <Rows
          label={say('today.minutes')}
          rows={minutes.toReversed()}
          keyOf={({ at: minute }) => minute}
          columns={[
            { title: 'col.minute', cell: ({ at: minute }) => hour(minute) },
            { title: 'col.count', cell: ({ count }) => count, isNumber: true },
          ]}
        />
      </details>
    </PageSection>
  );
}

function Ways({ ways }: { ways: Today['ways'] }) {
  const { say } = useLanguage();
  const wayName = useWayName();
  const { time } = useFormat();
  const seconds = (count: number | null) => (count === null ? '' : `${Math.round(count)} s`);
  return (
    <PageSection title="today.ways">
      {ways.length === 0 ? (
        <Text>{say('today.noWays')}</Text>
      ) : (
        <>
          <Text size="sm" mb="xs">
            {say('ways.counted')}
          </Text>
          <Rows
            label={say('today.ways')}
            rows={ways}
            keyOf={({ way }) => way}
            columns={[
              { title: 'col.way', cell: ({ way }) => wayName(way) },
              {
                title: 'col.health',
                cell: ({ health }) => <HealthBadge health={health} />,
              },
              {
                title: 'col.succeeded',
                cell: ({ taken, failed }) =>
                  taken + failed === 0 ? '' : `${Math.round((100 * taken) / (taken + failed))} % (${taken})`,
                isNumber: true,
              },
              { title: 'col.failed', cell: ({ failed }) => failed, isNumber: true },
              { title: 'col.endedByPayer', cell: ({ endedByPayer }) => endedByPayer, isNumber: true },
              { title: 'col.median', cell: ({ medianSeconds }) => seconds(medianSeconds), isNumber: true },
              { title: 'col.lastFailure', cell: ({ lastFailureAt }) => (lastFailureAt ? time(lastFailureAt) : '') },
            ]}
          />
        </>
      )}
    </PageSection>
  );
}
