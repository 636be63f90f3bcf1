import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { payingSteps } from '@portal/domain/paying-steps.ts';
import { paymentEndings } from '@portal/domain/payment/endings.ts';
import { leastVisits } from '@portal/domain/search-without-result.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useOutcomeWords } from '../lib/use-outcome-words.ts';
import { useWayName } from '../lib/use-way-name.ts';
import type { TextKey } from '../texts/en.ts';
import { DayChart } from '../ui/day-chart.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { Rows } from '../ui/rows.tsx';

type Insight = ConsoleResult<'insight'>;

const ranges = ['7', '30'] as const;
const [good, bad, other] = ['teal', 'red', 'gray'].map((name) => `var(--mantine-color-${name}-6)`) as [
  string,
  string,
  string,
];

/** Counts of searches, votes and outcomes. Days and language are in the URL. */
export function InsightPage() {
  const { say, code: reader } = useLanguage();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const days = ranges.find((one) => one === search.get('days')) ?? '7';
  const found = useQuery({
    queryKey: ['insight', days, reader],
    queryFn: () => call('insight', { days: Number(days), reader }),
    staleTime: 60_000,
  });
  const language = found.data?.languages.find(({ locale }) => locale === search.get('language'))?.locale ?? '';
  const open = (to: { days?: string; language?: string }) =>
    go(`/insight?${new URLSearchParams({ days, language, ...to })}`);
  return (
    <Stack>
      <Title order={1}>{say('insight.title')}</Title>
      <Text>{say('insight.text')}</Text>
      <Group>
        <NativeSelect
          label={say('insight.days')}
          value={days}
          onChange={(event) => open({ days: event.currentTarget.value })}
          data={ranges.map((value) => ({ value, label: say(`insight.days.${value}`) }))}
        />
        <NativeSelect
          label={say('app.language')}
          value={language}
          onChange={(event) => open({ language: event.currentTarget.value })}
          data={[
            { value: '', label: say('insight.allLanguages') },
            ...(found.data?.languages ?? []).map(({ locale, name }) => ({ value: locale, label: name })),
          ]}
        />
      </Group>
      <Loaded query={found}>{(insight) => <Figures insight={inLanguage(insight, language)} />}</Loaded>
    </Stack>
  );
}

function inLanguage(insight: Insight, language: string): Insight {
  const own = <Row extends { language: string }>(rows: Row[]) =>
    language ? rows.filter((row) => row.language === language) : rows;
  const { votes, searches, feedback, payments, steps, flows } = insight;
  return {
    ...insight,
    ...{ votes: own(votes), searches: own(searches), feedback: own(feedback) },
    ...{ payments: own(payments), steps: own(steps), flows: own(flows) },
  };
}

/** The sum of each group, the largest first. */
function sums<Row>(rows: readonly Row[], keyOf: (row: Row) => string, countOf: (row: Row) => number) {
  const found = new Map<string, { key: string; first: Row; count: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = found.get(key) ?? { key, first: row, count: 0 };
    found.set(key, { ...sum, count: sum.count + countOf(row) });
  }
  return [...found.values()].sort((one, another) => another.count - one.count);
}

/** The count per day. */
const onDay =
  <Row extends { day: string }>(rows: readonly Row[], countOf: (row: Row) => number) =>
  (day: string) =>
    rows.reduce((sum, row) => (row.day === day ? sum + countOf(row) : sum), 0);

const counted = ({ count }: { count: number }) => count;

function Figures({ insight }: { insight: Insight }) {
  return (
    <Stack>
      <Payments insight={insight} />
      <Steps insight={insight} />
      <Flows insight={insight} />
      <Searches insight={insight} />
      <Votes insight={insight} />
      <Feedback insight={insight} />
    </Stack>
  );
}

function Payments({ insight: { days, payments: counts } }: { insight: Insight }) {
  const wayName = useWayName();
  const { say } = useLanguage();
  const payments = counts.map((row) => ({ ...row, way: wayName(row.way) }));
  const ways = [...new Set(payments.map(({ way }) => way))].sort();
  const of = (way: string, ended: string) =>
    payments.reduce((sum, row) => (row.way === way && row.ended === ended ? sum + row.count : sum), 0);
  const series = (name: TextKey, colour: string, isIn: (ended: string) => boolean) => ({
    name,
    colour,
    count: onDay(
      payments.filter(({ ended }) => isIn(ended)),
      counted,
    ),
  });
  return (
    <PageSection title="insight.payments">
      {payments.length === 0 ? (
        <Text>{say('insight.none')}</Text>
      ) : (
        <Stack>
          <DayChart
            label={say('insight.payments')}
            days={days}
            series={[
              series('ended.delivered', good, (ended) => ended === 'delivered'),
              series('insight.notDelivered', bad, (ended) => !['delivered', 'open'].includes(ended)),
              series('ended.open', other, (ended) => ended === 'open'),
            ]}
          />
          <Rows
            label={say('insight.byWay')}
            rows={ways}
            keyOf={(way) => way}
            columns={[
              { title: 'col.way', cell: (way) => way },
              ...paymentEndings.map((ended) => ({
                title: `ended.${ended}` as const,
                cell: (way: string) => of(way, ended),
                isNumber: true,
              })),
            ]}
          />
        </Stack>
      )}
    </PageSection>
  );
}

/** Steps are counted by page views and purchases: the difference between two steps is the drop-off. */
function Steps({ insight: { steps, payments } }: { insight: Insight }) {
  const { say } = useLanguage();
  const total = (rows: readonly { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);
  const purchases = (rows: Insight['payments']) => rows.reduce((sum, { orders }) => sum + orders, 0);
  const [form, choose, status] = payingSteps.map((step) => ({
    step,
    count: total(steps.filter((row) => row.step === step)),
  }));
  const rows = [
    form,
    choose,
    { step: 'ordered', count: purchases(payments) } as const,
    { step: 'sent', count: purchases(payments.filter(({ ended }) => ended !== 'left')) } as const,
    status,
    { step: 'delivered', count: purchases(payments.filter(({ ended }) => ended === 'delivered')) } as const,
  ].filter((row) => row !== undefined);
  return (
    <PageSection title="insight.steps">
      <Text size="sm">{say('insight.stepsText')}</Text>
      <Rows
        label={say('insight.steps')}
        rows={rows}
        keyOf={({ step }) => step}
        columns={[
          { title: 'insight.step', cell: ({ step }) => say(`step.${step}`) },
          { title: 'col.count', cell: counted, isNumber: true },
        ]}
      />
    </PageSection>
  );
}

function Flows({ insight: { days, flows } }: { insight: Insight }) {
  const { say } = useLanguage();
  const outcomeWords = useOutcomeWords();
  // Several codes may have the same words, and a flow that ended well needs none.
  const whyOf = ({ ended: how, outcome }: Insight['flows'][number]) => (how === 'success' ? '' : outcomeWords(outcome));
  const ended = (as: string) =>
    onDay(
      flows.filter((row) => row.ended === as),
      counted,
    );
  return (
    <PageSection title="insight.flows">
      {flows.length === 0 ? (
        <Text>{say('insight.none')}</Text>
      ) : (
        <Stack>
          <Text size="sm">{say('insight.flowsText')}</Text>
          <DayChart
            label={say('insight.flows')}
            days={days}
            series={[
              { name: 'insight.success', colour: good, count: ended('success') },
              { name: 'insight.failure', colour: bad, count: ended('failure') },
            ]}
          />
          <Rows
            label={say('insight.flowEnds')}
            rows={sums(flows, (row) => `${row.flow} ${row.ended} ${whyOf(row)}`, counted)}
            keyOf={({ key }) => key}
            columns={[
              { title: 'insight.flow', cell: ({ first }) => say(`flow.${first.flow}`) },
              { title: 'insight.ended', cell: ({ first }) => say(`insight.${first.ended}`) },
              { title: 'col.why', cell: ({ first }) => whyOf(first) },
              { title: 'col.count', cell: counted, isNumber: true },
            ]}
          />
        </Stack>
      )}
    </PageSection>
  );
}

function Searches({ insight: { days, searches, languages } }: { insight: Insight }) {
  const { say } = useLanguage();
  const named = (locale: string) => languages.find((one) => one.locale === locale)?.name ?? locale;
  return (
    <PageSection title="insight.searches">
      <Stack>
        <Text size="sm">{say('insight.searchesText', { count: leastVisits })}</Text>
        {searches.length === 0 ? (
          <Text>{say('insight.noSearches')}</Text>
        ) : (
          <>
            <DayChart
              label={say('insight.searches')}
              days={days}
              series={[{ name: 'insight.visits', colour: bad, count: onDay(searches, counted) }]}
            />
            <Rows
              label={say('insight.bySearch')}
              rows={sums(searches, ({ language, text }) => `${language} ${text}`, counted)}
              keyOf={({ key }) => key}
              columns={[
                { title: 'insight.searched', cell: ({ first }) => first.text },
                { title: 'app.language', cell: ({ first }) => named(first.language) },
                { title: 'insight.visits', cell: counted, isNumber: true },
              ]}
            />
          </>
        )}
      </Stack>
    </PageSection>
  );
}

function Votes({ insight: { days, votes } }: { insight: Insight }) {
  const { say } = useLanguage();
  const likesOf = (question: string) =>
    votes.reduce((sum, row) => (row.question === question ? sum + row.likes : sum), 0);
  return (
    <PageSection title="insight.votes">
      {votes.length === 0 ? (
        <Text>{say('insight.none')}</Text>
      ) : (
        <Stack>
          <DayChart
            label={say('insight.votes')}
            days={days}
            series={[
              { name: 'insight.liked', colour: good, count: onDay(votes, ({ likes }) => likes) },
              { name: 'insight.disliked', colour: bad, count: onDay(votes, (row) => row.votes - row.likes) },
            ]}
          />
          <Rows
            label={say('insight.byAnswer')}
            rows={sums(
              votes,
              ({ question }) => question,
              (row) => row.votes,
            )}
            keyOf={({ key }) => key}
            columns={[
              { title: 'insight.answer', cell: ({ first }) => first.title },
              { title: 'insight.liked', cell: ({ key }) => likesOf(key), isNumber: true },
              { title: 'insight.disliked', cell: ({ key, count }) => count - likesOf(key), isNumber: true },
            ]}
          />
        </Stack>
      )}
    </PageSection>
  );
}

function Feedback({ insight: { days, feedback } }: { insight: Insight }) {
  const { say, sayOr } = useLanguage();
  return (
    <PageSection title="insight.feedback">
      {feedback.length === 0 ? (
        <Text>{say('insight.none')}</Text>
      ) : (
        <Stack>
          <DayChart
            label={say('insight.feedback')}
            days={days}
            series={[{ name: 'col.count', colour: good, count: onDay(feedback, counted) }]}
          />
          <Rows
            label={say('insight.byForm')}
            rows={sums(feedback, ({ form }) => sayOr(`form.${form}`), counted)}
            keyOf={({ key }) => key}
            columns={[
              { title: 'feedback.form', cell: ({ key }) => key },
              { title: 'col.count', cell: counted, isNumber: true },
            ]}
          />
        </Stack>
      )}
    </PageSection>
  );
}
