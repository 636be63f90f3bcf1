import { Stack, Text } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { useLanguage } from '../lib/language.tsx';
import { differencesOf } from '../lib/package-tree.ts';
import { usePlaceWords } from '../lib/use-place-words.ts';

/** Words removed and added in a text. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  let at = 0;
  return (
    <Text className="diff">
      {diffWordsWithSpace(before, after).map(({ value, added, removed }) => {
        const key = at;
        at += value.length + 1;
        if (added) return <ins key={key}>{value}</ins>;
        return removed ? <del key={key}>{value}</del> : <span key={key}>{value}</span>;
      })}
    </Text>
  );
}

/** All texts of a package that differ between two versions. */
export function PackageDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const { say } = useLanguage();
  const placeWords = usePlaceWords();
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <Text role="status">{say('content.same')}</Text>;
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
      {differences.map(({ at, trail, before: was, after: is }) => (
        <li key={`${at} ${was}`}>
          <Text size="sm" c="dimmed" fw={600}>
            {placeWords(trail)}
          </Text>
          <WordDiff before={was} after={is} />
        </li>
      ))}
    </Stack>
  );
}
