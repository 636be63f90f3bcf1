import {
  Badge,
  Box,
  Button,
  Checkbox,
  Group,
  Input,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { type ListAct, nextKey } from '../lib/package-edit.ts';
import { isEmpty, placesWith } from '../lib/package-search.ts';
import { type Body, blankItem, type Place, placeName, type Shape, trailTo, valueAt } from '../lib/package-tree.ts';
import { type FormRows, fieldName, groupName, groupOf } from '../lib/use-form-rows.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { summaryOf, useFieldName, usePlaceWords } from '../lib/use-place-words.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { Markdown } from '../ui/markdown.tsx';

export interface EditedPage {
  page: string;
  locale: string | null;
  /** The body with lists in rows; undefined where a language lacks an item. */
  body: Body;
}

export interface FormParts {
  pages: readonly EditedPage[];
  shape: Shape | undefined;
  faultAt: (page: string, place: Place) => string | undefined;
  votes: Readonly<Record<string, { likes: number; votes: number }>>;
  /** Which rows are open, and where the focus goes. */
  rows: FormRows;
  /** What stays the same of the items of a list when others are removed or moved. */
  keysOf: (list: Place) => readonly (number | undefined)[];
  change: (page: string, place: Place, value: unknown) => void;
  /** Applied in every language at once, to the items of a row. */
  changeList: (place: Place, act: ListAct) => void;
}

/** An item's name in the reader's language, if the operator has it. */
const byReader = (pages: readonly EditedPage[], code: string) =>
  pages.toSorted((one, other) => Number(other.locale?.startsWith(code)) - Number(one.locale?.startsWith(code)));

const bodiesFor = ({ pages }: FormParts, code: string) => byReader(pages, code).map(({ body }) => body);

/** Few enough to be shown at once. */
const mostFound = 40;
const mostItems = 100;

/** A package in all its languages side by side, as fields generated from its shape. */
export function PackageForm(parts: FormParts) {
  const { say } = useLanguage();
  const { form, search, setSearch } = parts.rows;
  const { text, isMissingOnly } = search;
  const isSearching = text.trim().length > 1 || isMissingOnly;
  return (
    <Stack ref={form}>
      <Group align="end">
        <TextInput
          type="search"
          label={say('content.search')}
          value={text}
          onChange={(event) => setSearch({ ...search, text: event.currentTarget.value })}
          miw={240}
        />
        <Checkbox
          label={say('content.missingOnly')}
          checked={isMissingOnly}
          onChange={(event) => setSearch({ ...search, isMissingOnly: event.currentTarget.checked })}
          mb={8}
        />
      </Group>
      {isSearching ? (
        <Found
          key={`${isMissingOnly} ${text}`}
          parts={parts}
          text={text.trim().toLowerCase()}
          isMissingOnly={isMissingOnly}
        />
      ) : (
        <Node parts={parts} place={[]} />
      )}
    </Stack>
  );
}

/** A search result stays while it is edited, although it may no longer match. */
function Found({ parts, text, isMissingOnly }: { parts: FormParts; text: string; isMissingOnly: boolean }) {
  const { code, say } = useLanguage();
  const placeWords = usePlaceWords();
  const bodies = bodiesFor(parts, code);
  const [found] = useState(() =>
    placesWith(parts.pages, (place) => placeWords(trailTo(place, bodies)), text, isMissingOnly),
  );
  if (found.length === 0) return <Text role="status">{say('content.noneFound')}</Text>;
  return (
    <Stack>
      <Text role="status">{say('content.found', { count: found.length })}</Text>
      {found.slice(0, mostFound).map(([name, place]) => (
        <Leaf key={name} parts={parts} place={place} label={placeWords(trailTo(place, bodies))} />
      ))}
    </Stack>
  );
}

function Node({ parts, place }: { parts: FormParts; place: Place }) {
  const { code, sayOr } = useLanguage();
  const placeWords = usePlaceWords();
  const sample = parts.pages.map(({ body }) => valueAt(body, place)).find((value) => value !== undefined);
  if (Array.isArray(sample)) return <Items parts={parts} place={place} />;
  if (typeof sample !== 'object' || sample === null)
    return <Leaf parts={parts} place={place} label={placeWords(trailTo(place, bodiesFor(parts, code)).slice(-1))} />;
  const keys = [
    ...new Set(parts.pages.flatMap(({ body }) => Object.keys((valueAt(body, place) as object | undefined) ?? {}))),
  ];
  const groups = place.length === 0 ? Map.groupBy(keys, groupOf) : new Map();
  // Hundreds of keyed texts are folded by group.
  const isFlat = place.length === 0 && keys.length > 30 && groups.size < keys.length;
  if (isFlat) {
    const titled = [...(groups as Map<string, string[]>)].map(([group, own]) => ({
      ...{ group, own, title: sayOr(`textGroup.${group}`) },
    }));
    titled.sort((one, other) => one.title.localeCompare(other.title));
    return (
      <Stack gap={4}>
        {titled.map(({ group, own, title }) => (
          <Disclosure key={group} label={`${title} (${own.length})`} opened={openedOf(parts.rows, groupName(group))}>
            {() => <Fields parts={parts} place={place} keys={own} />}
          </Disclosure>
        ))}
      </Stack>
    );
  }
  return <Fields parts={parts} place={place} keys={keys} />;
}

const openedOf = ({ isOpen, set }: FormRows, name: string) => ({
  is: isOpen(name),
  set: (isOpen: boolean) => set(name, isOpen),
});

function Fields({ parts, place, keys }: { parts: FormParts; place: Place; keys: readonly string[] }) {
  const id = parts.pages.map(({ body }) => valueAt(body, [...place, 'id'])).find((value) => typeof value === 'string');
  const votes = keys.includes('answer') ? parts.votes[String(id)] : undefined;
  const { say } = useLanguage();
  return (
    <Stack>
      {keys.includes('answer') && (
        <Text size="sm" c="dimmed">
          {votes && votes.votes > 0 ? say('content.votes', { ...votes }) : say('content.noVotes')}
        </Text>
      )}
      {keys.map((key) => (
        <Node key={key} parts={parts} place={[...place, key]} />
      ))}
    </Stack>
  );
}

function Items({ parts, place }: { parts: FormParts; place: Place }) {
  const { say } = useLanguage();
  const { pages, shape, rows, changeList } = parts;
  const keys = parts.keysOf(place);
  const lists = pages.map(({ body }) => valueAt(body, place)).map((list) => (Array.isArray(list) ? list : []));
  const count = Math.max(0, ...lists.map((list) => list.length));
  const nameOf = useFieldName();
  const name = place.length > 0 ? nameOf(place.at(-1)) : say('content.items');
  const faults = pages.flatMap(({ page }) => parts.faultAt(page, place) ?? []);
  const known = lists.flat().filter((one) => one !== undefined);
  const [limit, setLimit] = useState(mostItems);
  const [first] = useState(count);
  // A new item is shown, however long the list is.
  const places = Array.from({ length: count }, (_, index) => [...place, index]).filter(
    (at, index) => index < limit || index >= first || rows.isOpen(rows.nameOf(at)),
  );
  return (
    <Box component="fieldset" className="items" name={placeName(place)} tabIndex={faults.length > 0 ? -1 : undefined}>
      <legend>{name}</legend>
      <Stack gap={4}>
        {faults.map((says) => (
          <Input.Error key={says} role="alert">
            {says}
          </Input.Error>
        ))}
        {places.map((at) => (
          <Item key={keys[Number(at.at(-1))] ?? placeName(at)} parts={parts} at={at} count={count} />
        ))}
        <Group>
          {places.length < count && (
            <Button size="compact-sm" variant="default" onClick={() => setLimit(limit + mostItems)}>
              {say('app.more')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            data-add
            aria-label={`${say('content.add')}: ${name}`}
            onClick={() => {
              rows.added([...place, count], nextKey(keys));
              changeList(place, { add: blankItem(shape, place, known) });
            }}
          >
            {say('content.add')}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}

function Item({ parts, at, count }: { parts: FormParts; at: Place; count: number }) {
  const { code, say } = useLanguage();
  const { pages, rows, changeList } = parts;
  const [list, index] = [at.slice(0, -1), Number(at.at(-1))];
  const name = rows.nameOf(at);
  const own = pages.map(({ body }) => valueAt(body, at));
  const readable = byReader(pages, code).map(({ body }) => valueAt(body, at));
  const summary = summaryOf(readable.find((one) => summaryOf(one))) || say('content.item', { number: index + 1 });
  const buttons = (
    <ItemButtons
      name={summary}
      canUp={index > 0}
      canDown={index < count - 1}
      move={(by) => {
        rows.moved(at, by);
        changeList(list, { move: index, to: index + by });
      }}
      remove={() => {
        rows.removed(list, index, count);
        changeList(list, { remove: index });
      }}
    />
  );
  if (own.every((one) => typeof one !== 'object'))
    return (
      <Stack gap={4} data-row={name}>
        <Leaf key={index} parts={parts} place={at} label={say('content.item', { number: index + 1 })} />
        {buttons}
      </Stack>
    );
  return (
    <Box data-row={name}>
      <Disclosure
        label={<Marked summary={summary} own={own} pages={pages} />}
        beside={buttons}
        opened={openedOf(rows, name)}
      >
        {() => <Node parts={parts} place={at} />}
      </Disclosure>
    </Box>
  );
}

function Marked({ summary, own, pages }: { summary: string; own: unknown[]; pages: readonly EditedPage[] }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const missing = pages.filter(({ locale }, index) => own[index] === undefined && locale);
  return (
    <>
      {summary}
      {missing.length > 0 && (
        <Badge component="span" variant="light" color="yellow" tt="none" ml="xs">
          {say('content.missingIn', { languages: missing.map(({ locale }) => nameOf(locale ?? '')).join(', ') })}
        </Badge>
      )}
    </>
  );
}

interface ItemActs {
  name: string;
  canUp: boolean;
  canDown: boolean;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

function ItemButtons({ name, canUp, canDown, move, remove }: ItemActs) {
  const { say } = useLanguage();
  const usual = { size: 'compact-xs', variant: 'default' } as const;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        {...usual}
        data-by={-1}
        disabled={!canUp}
        aria-label={`${say('content.up')}: ${name}`}
        onClick={() => move(-1)}
      >
        ↑
      </Button>
      <Button
        {...usual}
        data-by={1}
        disabled={!canDown}
        aria-label={`${say('content.down')}: ${name}`}
        onClick={() => move(1)}
      >
        ↓
      </Button>
      <Button {...usual} aria-label={`${say('content.remove')}: ${name}`} onClick={remove}>
        ✕
      </Button>
    </Group>
  );
}

/** One text, number or choice in every language. */
function Leaf({ parts, place, label }: { parts: FormParts; place: Place; label: string }) {
  const { pages } = parts;
  const { code } = useLanguage();
  // A field labelled by its text keeps that label while it is edited.
  const [named, setNamed] = useState({ code, label });
  if (named.code !== code) setNamed({ code, label });
  return (
    <SimpleGrid cols={{ base: 1, md: pages.length }} spacing="sm" verticalSpacing="xs">
      {pages.map((page) => (
        <Field key={page.page} parts={parts} page={page} place={place} label={named.label} />
      ))}
    </SimpleGrid>
  );
}

interface FieldProps {
  parts: FormParts;
  page: EditedPage;
  place: Place;
  label: string;
}

const isMarkdown = (place: Place) => ['answer', 'markdown'].includes(String(place.at(-1)));

function Field({ parts, page: { page, locale, body }, place, label }: FieldProps) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const value = valueAt(body, place);
  const kind = parts.pages.map((one) => typeof valueAt(one.body, place)).find((one) => one !== 'undefined');
  const isMissing = isEmpty(value) && parts.pages.some((one) => !isEmpty(valueAt(one.body, place)));
  const named = locale ? `${label} (${nameOf(locale)})` : label;
  const error = parts.faultAt(page, place);
  const set = (next: unknown) => parts.change(page, place, next);
  const name = fieldName(page, place);
  if (kind === 'boolean')
    return (
      <Checkbox
        name={name}
        label={named}
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked)}
        error={error}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        name={name}
        label={named}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => set(next === '' ? undefined : Number(next))}
        error={error}
        hideControls
      />
    );
  return (
    <Box>
      <Textarea
        name={name}
        label={named}
        lang={locale ?? undefined}
        description={isMissing ? say('content.isMissing') : undefined}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => set(event.currentTarget.value)}
        error={error}
        autosize
        minRows={isMarkdown(place) ? 5 : 1}
        maxRows={30}
      />
      {isMarkdown(place) && typeof value === 'string' && value !== '' && (
        <Box
          component="section"
          className="live"
          aria-label={`${say('content.live')}: ${named}`}
          lang={locale ?? undefined}
        >
          <Markdown text={value} />
        </Box>
      )}
    </Box>
  );
}
