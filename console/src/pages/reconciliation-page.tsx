import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { type Explanation, explanations } from '@portal/domain/payment/reconciliation-differences.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { addressFilters, dayIn } from '../lib/address-filters.ts';
import { call, download } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMay, useMe } from '../lib/use-me.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { IgnoredFilters } from '../ui/ignored-filters.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { PagedRows } from '../ui/paged-rows.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { StateBadge } from '../ui/state-badge.tsx';

type Day = ConsoleResult<'reconciliation'>;
type Difference = Day['differences'][number];
type Sum = Day['sides'][number]['delivered'];

const lists = ['open', 'explained'] as const;

/** A day's money as three systems report it. Day and list are in the URL. */
export function ReconciliationPage() {
  const { say } = useLanguage();
  const { time, day: written } = useFormat();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const {
    filters: { day: asked },
    unread,
  } = addressFilters(search, { day: dayIn });
  const list = lists.find((one) => one === search.get('list')) ?? 'open';
  const mayWork = useMay()('reconciliation.work');
  const queries = useQueryClient();
  const loaded = useInfiniteQuery({
    queryKey: ['reconciliation', asked ?? '', list],
    queryFn: ({ pageParam }) => call('reconciliation', { day: asked, list, after: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 60_000,
  });
  const again = () => queries.invalidateQueries({ queryKey: ['reconciliation'] });
  const compare = useAct({ mutationFn: (day: string) => call('compareDay', { day }), onSettled: again });
  const save = useAct({
    mutationFn: (day: string) => download('exportDay', { day }, `reconciliation-${day}.csv`),
  });
  const [first] = loaded.data?.pages ?? [];
  const today = calendarDay(new Date(), useMe().operator.timeZone);
  const address = (to: { day?: string | undefined; list?: string }) => {
    const { day = asked, list: shown = list } = to;
    return `/reconciliation?${new URLSearchParams({ ...(day ? { day } : {}), list: shown })}`;
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const day = String(new FormData(event.currentTarget).get('day') ?? '');
    go(address({ day: day || undefined }));
  }

  return (
    <Stack>
      <Title order={1}>{say('reconciliation.title')}</Title>
      <Text>{say('reconciliation.text')}</Text>
      <IgnoredFilters labels={unread.map(() => say('reconciliation.day'))} />
      <Group align="flex-end" justify="space-between">
        <form onSubmit={submit} key={first?.day ?? ''}>
          <Group align="flex-end">
            <TextInput
              name="day"
              type="date"
              label={say('reconciliation.day')}
              defaultValue={first?.day ?? ''}
              min={first?.firstDay}
              max={first ? today : undefined}
            />
            <Button type="submit" variant="default">
              {say('reconciliation.show')}
            </Button>
          </Group>
        </form>
        {first && (
          <Group>
            {mayWork && first.isComparable && (
              <Button variant="default" loading={compare.isPending} onClick={() => compare.mutate(first.day)}>
                {say('reconciliation.compareDay')}
              </Button>
            )}
            <Button variant="default" loading={save.isPending} onClick={() => save.mutate(first.day)}>
              {say('reconciliation.exportDay')}
            </Button>
          </Group>
        )}
      </Group>
      {[compare.error, save.error].map((problem) => problem && <ProblemBox key={String(problem)} problem={problem} />)}
      {first && (
        <>
          <ChoiceLinks
            label={say('reconciliation.day')}
            choices={first.days.slice(0, 8).map(({ day, open }) => ({
              href: address({ day }),
              label: open > 0 ? `${written(day)} (${open})` : written(day),
              isChosen: day === first.day,
            }))}
          />
          <Text role="status">
            {first.isRunning
              ? say('reconciliation.running')
              : first.comparedAt
                ? say('reconciliation.comparedAt', { time: time(first.comparedAt) })
                : first.day < first.firstDay
                  ? say('problem.dayTooOld', { first: written(first.firstDay) })
                  : say(first.isOver ? 'reconciliation.notCompared' : 'reconciliation.notOver')}
          </Text>
          <Unheard day={first} />
          {first.comparedAt && <Totals day={first} />}
          {first.comparedAt && !isQuiet(first) && (
            <ChoiceLinks
              label={say('reconciliation.lists')}
              choices={lists.map((one) => ({
                href: address({ list: one }),
                label: say(`reconciliation.${one}`, { count: first.counts[one] }),
                isChosen: one === list,
              }))}
            />
          )}
        </>
      )}
      {(!first || (first.comparedAt && !isQuiet(first))) && (
        <Differences query={loaded} list={list} again={again} mayWork={mayWork} />
      )}
    </Stack>
  );
}

/** Systems without a response: that does not mean agreement. */
function Unheard({ day: { unchecked, unanswered, unansweredCount } }: { day: Day }) {
  const { say } = useLanguage();
  if (unchecked.length + unansweredCount === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="note">
      {unchecked.length > 0 && <Text>{say('reconciliation.unchecked', { ways: unchecked.join(', ') })}</Text>}
      {unansweredCount > 0 && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {say('reconciliation.unanswered', { count: unansweredCount, names: unanswered.join(', ') })}
        </Text>
      )}
    </Alert>
  );
}

/** No payments and no records of any provider, so there are no differences. */
const isQuiet = ({ hasTotals, sides, counts }: Day) =>
  hasTotals && sides.length === 0 && counts.open + counts.explained === 0;

function Totals({ day: { sides, hasTotals } }: { day: Day }) {
  const { say } = useLanguage();
  const { money } = useFormat();
  const wayName = useWayName();
  if (sides.length === 0) return <Text>{say(hasTotals ? 'reconciliation.quiet' : 'reconciliation.noTotals')}</Text>;
  const cell = (sum: Sum | undefined, currency: string) =>
    sum ? `${money(sum.amount, currency)} (${sum.count})` : say('reconciliation.notHeard');
  return (
    <PageSection title="reconciliation.totals">
      <Rows
        label={say('reconciliation.totals')}
        rows={sides}
        keyOf={({ way, currency }) => `${way} ${currency}`}
        columns={[
          { title: 'col.way', cell: ({ way }) => wayName(way) },
          {
            title: 'reconciliation.booked',
            cell: ({ booked, currency }) => cell(booked.taken, currency),
            isNumber: true,
          },
          {
            title: 'reconciliation.listed',
            cell: ({ listed, currency }) => cell(listed?.taken, currency),
            isNumber: true,
          },
          {
            title: 'reconciliation.bookedDelivered',
            cell: ({ booked, currency }) => cell(booked.delivered, currency),
            isNumber: true,
          },
          {
            title: 'reconciliation.found',
            cell: ({ delivered, currency }) => cell(delivered, currency),
            isNumber: true,
          },
          {
            title: 'reconciliation.bookedBack',
            cell: ({ booked, currency }) => cell(booked.givenBack, currency),
            isNumber: true,
          },
          {
            title: 'reconciliation.listedBack',
            cell: ({ listed, currency }) => cell(listed?.givenBack, currency),
            isNumber: true,
          },
        ]}
      />
    </PageSection>
  );
}

function Differences({
  query,
  list,
  again,
  mayWork,
}: {
  query: Parameters<typeof PagedRows>[0]['query'] & { data: { pages: Day[] } | undefined };
  list: (typeof lists)[number];
  again: () => Promise<unknown>;
  mayWork: boolean;
}) {
  const { say } = useLanguage();
  const { money } = useFormat();
  const wayName = useWayName();
  const day = query.data?.pages[0]?.day ?? '';
  const [explained, setExplained] = useState<Difference | null>(null);
  const [as, setAs] = useState<Explanation>('timing');
  const named = ({ what, reference, version }: Difference) => ({ day, what, reference, version });
  const take = useAct({
    mutationFn: ({ isTaken, difference }: { isTaken: boolean; difference: Difference }) =>
      call('takeDifference', { ...named(difference), isTaken }),
    onSettled: again,
  });
  const isReopening = explained?.explanation != null;
  return (
    <>
      {take.error && <ProblemBox problem={take.error} />}
      <PagedRows
        query={query}
        label={say('reconciliation.differences')}
        none={say(list === 'open' ? 'reconciliation.noneOpen' : 'reconciliation.noneExplained')}
        rows={query.data?.pages.flatMap(({ differences }) => differences) ?? []}
        keyOf={({ place }) => String(place)}
        columns={[
          { title: 'reconciliation.differences', cell: ({ what }) => say(`difference.${what}`) },
          { title: 'col.reference', cell: (difference) => <Reference difference={difference} /> },
          {
            title: 'col.state',
            cell: ({ payment }) =>
              payment ? <StateBadge state={payment.state} /> : say('reconciliation.unknownPayment'),
          },
          { title: 'col.way', cell: ({ way }) => wayName(way) },
          {
            title: 'col.amount',
            cell: ({ payment }) => (payment ? money(payment.amount, payment.currency) : ''),
            isNumber: true,
          },
          {
            title: 'reconciliation.works',
            cell: ({ person, payment }) => (
              <>
                <Text inherit>{person ?? ''}</Text>
                {payment?.claimedBy && (
                  <Text size="sm">{say('reconciliation.atReview', { person: payment.claimedBy })}</Text>
                )}
              </>
            ),
          },
          {
            title: 'reconciliation.explanation',
            cell: (difference) => (
              <Stack gap="xs">
                {difference.explanation && (
                  <Text inherit>
                    {say(`explanation.${difference.explanation}`)}: {difference.note} ({difference.changedBy})
                  </Text>
                )}
                {mayWork && (
                  <Group gap="xs">
                    {!difference.explanation && (
                      <Button
                        size="xs"
                        variant="default"
                        disabled={take.isPending}
                        onClick={() => take.mutate({ isTaken: !difference.isOwn, difference })}
                      >
                        {say(difference.isOwn ? 'payment.letGo' : 'payment.claim')}
                      </Button>
                    )}
                    <Button size="xs" variant="default" onClick={() => setExplained(difference)}>
                      {say(difference.explanation ? 'reconciliation.openAgain' : 'reconciliation.explain')}
                    </Button>
                  </Group>
                )}
              </Stack>
            ),
          },
        ]}
      />
      {explained && (
        <ReasonDialog
          title={say(isReopening ? 'reconciliation.openAgainTitle' : 'reconciliation.explainTitle')}
          text={say(isReopening ? 'reconciliation.openAgainText' : 'reconciliation.explainText')}
          action={say(isReopening ? 'reconciliation.openAgain' : 'reconciliation.explain')}
          draft={`difference ${day} ${explained.what} ${explained.reference}`}
          close={() => setExplained(null)}
          act={async (reason) => {
            await call('explainDifference', { ...named(explained), as: isReopening ? null : as, reason });
            await again();
          }}
        >
          {!isReopening && (
            <NativeSelect
              label={say('reconciliation.explanation')}
              value={as}
              onChange={(event) => setAs(event.currentTarget.value as Explanation)}
              data={explanations.map((one) => ({ value: one, label: say(`explanation.${one}`) }))}
            />
          )}
        </ReasonDialog>
      )}
    </>
  );
}

function Reference({ difference: { payment, reference } }: { difference: Difference }) {
  if (!payment) return <span style={{ overflowWrap: 'anywhere' }}>{reference}</span>;
  return (
    <Anchor component={Link} href={`/payments/${payment.id}`}>
      {payment.reference}
    </Anchor>
  );
}
