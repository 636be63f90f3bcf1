import { Code, Stack, Text } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { useLanguage } from '../lib/language.tsx';
import { differencesOf } from '../lib/package-tree.ts';

/** What a text lost and what it gained, word by word. */
function WordDiff({ before, after }: { before: string; after: string }) {
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

/** Every text of a package that another version says otherwise. */
export function PackageDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const { say } = useLanguage();
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <Text role="status">{say('content.same')}</Text>;
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
      {differences.map(({ at, before: was, after: is }) => (
        <li key={`${at} ${was}`}>
          <Code>{at}</Code>
          <WordDiff before={was} after={is} />
        </li>
      ))}
    </Stack>
  );
}
