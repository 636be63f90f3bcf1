import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import type { TextKey } from '../texts/en.ts';
import { BarChart, Legend } from './bar-chart.tsx';
import { Rows } from './rows.tsx';

/** One colour of the bars, with its figure for each day. */
export interface Series {
  name: TextKey;
  colour: string;
  count: (day: string) => number;
}

/** A bar per day, the newest on the right; a table below has the same figures. */
export function DayChart({
  label,
  days,
  series,
}: {
  label: string;
  days: readonly string[];
  series: readonly Series[];
}) {
  const { say } = useLanguage();
  const { day: written } = useFormat();
  const all = days.reduce((sum, day) => sum + series.reduce((one, { count }) => one + count(day), 0), 0);
  const named = series.map(({ name, colour, count }) => ({ name: say(name), colour, count }));
  return (
    <>
      <BarChart
        label={say('insight.chart', { name: label, count: all })}
        choose={say('chart.day', { name: label })}
        bars={days.map((day) => ({
          key: day,
          name: written(day),
          parts: named.map((one) => ({ ...one, count: one.count(day) })),
        }))}
      />
      {named.length > 1 && <Legend series={named} />}
      <details>
        <summary>{say('today.asTable')}</summary>
        <Rows
          label={label}
          rows={days.toReversed()}
          keyOf={(day) => day}
          columns={[
            { title: 'insight.day', cell: (day) => written(day) },
            ...series.map(({ name, count }) => ({ title: name, cell: count, isNumber: true })),
          ]}
        />
      </details>
    </>
  );
}
