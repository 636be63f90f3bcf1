import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PackagePage } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import { type Choices, type Conflict, mergedPackages, type Side } from '../lib/package-merge.ts';
import { type Body, differencesOf } from '../lib/package-tree.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { usePlaceWords } from '../lib/use-place-words.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { PackageDiff, WordDiff } from '../ui/word-diff.tsx';

interface Props {
  page: PackagePage;
  versions: { before: Body; theirs: Body; mine: Body };
  goOn: (body: Body) => void;
}

/** Somebody else saved a version since this edit began: changes of only one side are merged, conflicts are chosen. */
export function ContentConflict({ page, versions, goOn }: Props) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const [choices, setChoices] = useState<Choices>({});
  const { body, conflicts } = mergedPackages(versions, choices);
  const [newest] = page.versions;
  const language = page.locale ? nameOf(page.locale) : say('content.allLanguages');
  const theirs = differencesOf(versions.before, versions.theirs).length;
  const open = conflicts.filter(({ key }) => choices[key] === undefined).length;
  return (
    <Alert color="yellow" variant="light" role="alert" tabIndex={-1} style={{ scrollMarginTop: 80 }}>
      <Stack gap="sm">
        <Text fw={600}>{say('content.behind', { language, person: newest?.by ?? say('content.byRelease') })}</Text>
        <Text>
          {say(conflicts.length > 0 ? 'content.bothChanged' : 'content.noneBoth', { count: conflicts.length })}
        </Text>
        {conflicts.map((conflict) => (
          <Choice
            key={conflict.key}
            conflict={conflict}
            lang={page.locale ?? undefined}
            chosen={choices[conflict.key]}
            choose={(side) => setChoices({ ...choices, [conflict.key]: side })}
          />
        ))}
        <Disclosure label={`${say('content.theirChange')} (${theirs})`}>
          {() => <PackageDiff before={versions.before} after={versions.theirs} label={say('content.theirChange')} />}
        </Disclosure>
        <Group>
          <Button size="compact-sm" disabled={open > 0} onClick={() => goOn(body)}>
            {say('content.putTogether')}
          </Button>
          {open > 0 && <Text size="sm">{say('content.chooseFirst', { count: open })}</Text>}
        </Group>
      </Stack>
    </Alert>
  );
}

interface ChoiceProps {
  conflict: Conflict;
  lang: string | undefined;
  chosen: Side | undefined;
  choose: (side: Side) => void;
}

function Choice({ conflict: { key, trail, before, theirs, mine }, lang, chosen, choose }: ChoiceProps) {
  const { say } = useLanguage();
  const placeWords = usePlaceWords();
  const sides = [
    { side: 'theirs', label: say('content.theirs'), value: theirs },
    { side: 'mine', label: say('content.mine'), value: mine },
  ] as const;
  return (
    <Radio.Group
      name={key}
      label={placeWords(trail)}
      value={chosen ?? null}
      onChange={(side) => choose(side as Side)}
      fw={600}
    >
      <Stack gap="xs" mt={4} fw={400}>
        {sides.map(({ side, label, value }) => (
          <Radio
            key={side}
            value={side}
            label={label}
            description={<Said before={before} value={value} lang={lang} />}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** One side's value; of a list or a group only the texts that differ. */
function Said({ before, value, lang }: { before: unknown; value: unknown; lang: string | undefined }) {
  const { say } = useLanguage();
  const placeWords = usePlaceWords();
  if (value === undefined) return say('content.takenAway');
  if (typeof value === 'object' && value !== null)
    return differencesOf(before, value).map(({ at, trail, before: was, after: is }) => (
      <span key={`${at} ${was}`} lang={lang}>
        {say('app.named', { name: placeWords(trail) })} <WordDiff before={was} after={is} />
      </span>
    ));
  return (
    <span lang={lang}>
      <WordDiff before={String(before ?? '')} after={String(value ?? '')} />
    </span>
  );
}
