import { Box, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { labelledBars, topOf } from '../lib/chart-scale.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';

export interface Bar {
  key: string;
  /** Its day or minute. */
  name: string;
  /** From the bottom up. */
  parts: readonly { name: string; colour: string; count: number }[];
}

interface Props {
  /** What it shows, with the sum. */
  label: string;
  /** What the slider below it chooses. */
  choose: string;
  /** The newest is on the right. */
  bars: readonly Bar[];
}

/**
 * Bars with a scale. The figures of one bar are written below it: of the last one, or of the one that is chosen by the
 * pointer or by the slider, which takes arrow keys and tells a screen reader the same.
 */
export function BarChart({ label, choose, bars }: Props) {
  const { say } = useLanguage();
  const { count: written } = useFormat();
  const [chosen, setChosen] = useState<string | null>(null);
  const sums = bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0));
  const top = topOf(Math.max(0, ...sums));
  const found = bars.findIndex(({ key }) => key === chosen);
  const at = found < 0 ? bars.length - 1 : found;
  const wordsOf = (bar: Bar | undefined) =>
    bar
      ? say('chart.bar', {
          name: bar.name,
          figures: bar.parts.map(({ name, count }) => `${name} ${written(count)}`).join(' · '),
        })
      : '';
  const pick = (index: number) => setChosen(bars[Math.max(0, Math.min(bars.length - 1, index))]?.key ?? null);
  return (
    <div className="chart">
      <div className="chart-scale" aria-hidden="true">
        {[top, top / 2, 0].map((tick) => (
          <span key={tick}>{written(tick)}</span>
        ))}
      </div>
      <div className="chart-area">
        <svg
          viewBox={`0 0 ${bars.length} 20`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            pick(Math.floor(((event.clientX - box.left) / box.width) * bars.length));
          }}
        >
          {[0, 10, 20].map((y) => (
            <path key={y} d={`M0 ${y}H${bars.length}`} className="chart-line" vectorEffect="non-scaling-stroke" />
          ))}
          <rect x={at} y="0" width="1" height="20" fill="currentColor" opacity="0.1" />
          {bars.flatMap(({ key, parts }, place) => {
            let y = 20;
            return parts.map(({ name, colour, count }) => {
              const height = (20 * count) / top;
              y -= height;
              return <rect key={`${key} ${name}`} x={place + 0.15} y={y} width="0.7" height={height} fill={colour} />;
            });
          })}
        </svg>
        {labelledBars(sums).map((index) => (
          <span
            key={index}
            aria-hidden="true"
            className="chart-value"
            style={{
              insetInlineStart: `${((index + 0.5) / bars.length) * 100}%`,
              insetBlockEnd: `${((sums[index] ?? 0) / top) * 100}%`,
              // At an edge it stays inside.
              translate: index < bars.length * 0.1 ? '-25%' : index > bars.length * 0.9 ? '-75%' : '-50%',
            }}
          >
            {written(sums[index] ?? 0)}
          </span>
        ))}
      </div>
      <div className="chart-times" aria-hidden="true">
        {[...new Set([0, Math.floor((bars.length - 1) / 2), bars.length - 1])].map((index) => (
          <span key={index}>{bars[index]?.name}</span>
        ))}
      </div>
      <input
        type="range"
        className="chart-slider"
        aria-label={choose}
        aria-valuetext={wordsOf(bars[at])}
        min={0}
        max={Math.max(0, bars.length - 1)}
        value={at}
        onChange={(event) => pick(event.currentTarget.valueAsNumber)}
      />
      <Text size="sm" className="chart-chosen" aria-hidden="true">
        {wordsOf(bars[at])}
      </Text>
    </div>
  );
}

/** Which colour is which. */
export function Legend({ series }: { series: readonly { name: string; colour: string }[] }) {
  return (
    <Group gap="md">
      {series.map(({ name, colour }) => (
        <Group key={name} gap={6}>
          <Box w={12} h={12} bg={colour} aria-hidden />
          <Text size="sm">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}
