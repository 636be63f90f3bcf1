import { Box, Group, Text } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import type { TextKey } from '../texts/en.ts';
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
  const totalOf = (day: string) => series.reduce((sum, { count }) => sum + count(day), 0);
  const most = Math.max(1, ...days.map(totalOf));
  const all = days.reduce((sum, day) => sum + totalOf(day), 0);
  return (
    <>
      <svg
        viewBox={`0 0 ${days.length} 20`}
        width="100%"
        height="120"
        preserveAspectRatio="none"
        role="img"
        aria-label={say('insight.chart', { name: label, count: all })}
      >
        <rect x="0" y="19.8" width={days.length} height="0.2" fill="currentColor" opacity="0.4" />
        {days.flatMap((day, place) => {
          let top = 20;
          return series.map(({ name, colour, count }) => {
            const height = (19 * count(day)) / most;
            top -= height;
            return <rect key={`${day} ${name}`} x={place + 0.15} y={top} width="0.7" height={height} fill={colour} />;
          });
        })}
      </svg>
      {series.length > 1 && (
        <Group gap="md">
          {series.map(({ name, colour }) => (
            <Group key={name} gap={6}>
              <Box w={12} h={12} bg={colour} aria-hidden />
              <Text size="sm">{say(name)}</Text>
            </Group>
          ))}
        </Group>
      )}
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
