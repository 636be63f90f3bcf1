import { Alert, Text } from '@mantine/core';
import type { SheetAlarm as Figures, SheetColumn } from '@portal/contract/console/sheets.ts';
import { useLanguage } from '../lib/language.tsx';
import { useCellWords } from '../lib/use-cell-words.ts';
import { useEntryName } from '../lib/use-entry-name.ts';
import { useColumnName } from './sheet-changes.tsx';

interface Props {
  alarm: Figures;
  columns: readonly SheetColumn[];
}

/** Changes that look like slips, with their figures: the same for who proposes them and who approves them. */
export function SheetAlarm({ alarm, columns }: Props) {
  const { say } = useLanguage();
  const words = useCellWords();
  const { entryIn } = useEntryName();
  const nameOf = useColumnName();
  if (alarm === null) return null;
  return (
    <Alert color="yellow" variant="light" role="note" title={say('sheet.alarm')}>
      {alarm.priceCount > 0 && <Text size="sm">{say('sheet.alarmPrices', { count: alarm.priceCount })}</Text>}
      {alarm.prices.map(({ key, column: name, before, after }) => {
        const column = columns.find((one) => one.name === name);
        return (
          <Text key={`${key} ${name}`} size="sm">
            {entryIn(key, before, columns)}: {column && `${words(column, before)} → ${words(column, after)}`}
          </Text>
        );
      })}
      {alarm.words.length > 0 && <Text size="sm">{say('sheet.alarmWords')}</Text>}
      {alarm.words.map(({ key, cells, columns: names, was, now }) => (
        <Text key={`${key} ${was} ${now}`} size="sm">
          {entryIn(key, cells, columns)}: {names.map((name) => nameOf(name, columns)).join(', ')} ({was} → {now})
        </Text>
      ))}
      {alarm.total !== null && (
        <Text size="sm">{say('sheet.alarmEnded', { ended: alarm.ended, total: alarm.total })}</Text>
      )}
    </Alert>
  );
}
