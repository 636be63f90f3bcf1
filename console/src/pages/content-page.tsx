import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { call, Problem } from '../lib/api.ts';
import type { Package, PackagePage } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import type { Removed } from '../lib/package-edit.ts';
import { type Body, placeName, placeNamed, type Shape, trailTo, valueAt } from '../lib/package-tree.ts';
import { useUnsaved } from '../lib/unsaved.ts';
import { useAct } from '../lib/use-act.ts';
import { useContentEdits } from '../lib/use-content-edits.ts';
import { useFormRows } from '../lib/use-form-rows.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay } from '../lib/use-me.ts';
import { summaryOf, usePlaceWords } from '../lib/use-place-words.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { PackageDiff } from '../ui/word-diff.tsx';
import { ContentConflict } from './content-conflict.tsx';
import { RefusedContent, useFieldWords } from './content-faults.tsx';
import { ContentPreview } from './content-preview.tsx';
import { PublishDialog, TakeBackDialog } from './content-publish.tsx';
import { ContentVersions, VersionDiff } from './content-versions.tsx';
import { Standing } from './contents-page.tsx';
import { PackageForm } from './package-form.tsx';
import { WaitingProposals } from './waiting-proposals.tsx';

/** One content package: its languages, edits, and a preview. */
export function ContentPage() {
  const { name = '' } = useParams<{ name: string }>();
  const found = useQuery({ queryKey: ['content', name], queryFn: () => call('content', { name }) });
  if (found.error instanceof Problem && found.error.code === 'isTable') return <Table name={name} />;
  return <Loaded query={found}>{(loaded) => <Shown key={loaded.name} found={loaded} />}</Loaded>;
}

/** An old URL of a package that became a table: links to where it is edited. */
function Table({ name }: { name: string }) {
  const { say, sayOr } = useLanguage();
  const may = useMay();
  return (
    <Stack>
      <Title order={1}>{sayOr(`contentName.${name}`)}</Title>
      <Text>{say('problem.isTable')}</Text>
      {may('sheets.read') && (
        <Anchor component={Link} href="/places?table=sites">
          {say('nav.places')}
        </Anchor>
      )}
    </Stack>
  );
}

function Shown({ found }: { found: Package }) {
  const { say, sayOr } = useLanguage();
  const may = useMay();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{sayOr(`contentName.${found.name}`)}</Title>
        <Anchor component={Link} href="/content" size="sm">
          {say('content.back')}
        </Anchor>
      </Group>
      <Languages found={found} />
      {may('content.edit') && <Editing found={found} />}
      <Changes found={found} />
      <ContentPreview found={found} />
      <ContentVersions found={found} />
    </Stack>
  );
}

function Languages({ found }: { found: Package }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const may = useMay();
  const [isPublishing, setPublishing] = useState(false);
  const [takingBack, setTakingBack] = useState<PackagePage | null>(null);
  const hasNew = found.pages.some(({ working, shown }) => working !== shown.version);
  const gaps = useGaps(found);
  /** Set when an older version was republished. */
  const takenBack = found.pages
    .filter(({ shown, versions }) => versions.some(({ version, wasShown }) => wasShown && version > shown.version))
    .map(({ locale }) => (locale ? nameOf(locale) : say('content.allLanguages')));
  return (
    <PageSection title="content.shown">
      <SimpleGrid cols={{ base: 1, md: found.pages.length }}>
        {found.pages.map((page) => (
          <Stack key={page.page} gap={4}>
            <Text fw={600}>{page.locale ? nameOf(page.locale) : say('content.allLanguages')}</Text>
            <Standing page={page} />
            {page.plan?.state === 'planned' && may('content.publish') && (
              <Group>
                <Button size="compact-sm" variant="default" onClick={() => setTakingBack(page)}>
                  {say('content.takeBack')}
                </Button>
              </Group>
            )}
          </Stack>
        ))}
      </SimpleGrid>
      {gaps.length > 0 && (
        <Alert color="yellow" variant="light" mt="md">
          {say('content.gaps', { places: gaps.join('; ') })}
        </Alert>
      )}
      {may('content.propose') && (
        <Group mt="md">
          <Button onClick={() => setPublishing(true)} disabled={!hasNew}>
            {say('content.publish')}
          </Button>
          {!hasNew && (
            <Text size="sm">
              {takenBack.length > 0
                ? say('content.olderShown', { languages: takenBack.join(', ') })
                : say('content.nothingNew')}
            </Text>
          )}
        </Group>
      )}
      <WaitingProposals kind="publication" of={found.name} />
      {isPublishing && <PublishDialog found={found} close={() => setPublishing(false)} />}
      {takingBack && <TakeBackDialog page={takingBack} close={() => setTakingBack(null)} />}
    </PageSection>
  );
}

/** Texts that are missing before it can be published, by name and language. */
function useGaps({ pages }: Package): string[] {
  const nameOf = useLanguageName();
  const placeWords = usePlaceWords();
  return pages.flatMap(({ gaps, locale, body }) =>
    gaps.map((gap) => {
      const words = placeWords(trailTo(placeNamed(gap, body), [body, ...pages.map((one) => one.body)]));
      return locale ? `${words} (${nameOf(locale)})` : words;
    }),
  );
}

/** Unsaved edits stay in this tab, whatever happens to the page. */
function Editing({ found }: { found: Package }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const edits = useContentEdits(found);
  const rows = useFormRows(edits.keysOf);
  const fieldOf = useFieldWords(edits.pages);
  const [cleaned, setCleaned] = useState<string[]>([]);
  /** Of a refused field, which the server names by its page and its path there. */
  const placeOf = (field: string) => {
    const one = edits.pages.find(({ page }) => field.startsWith(`${page} `));
    const place = one && edits.placeInRows(one.page, placeNamed(field.slice(one.page.length + 1), one.body));
    return place ? { page: one.page, place } : null;
  };
  const reload = () => queries.invalidateQueries({ queryKey: ['content', found.name] });
  const save = useAct({
    mutationFn: () => call('saveContent', { drafts: edits.drafts }),
    onSuccess: async ({ kept }) => {
      setCleaned(kept.flatMap(({ page, cleaned: places }) => places.map((place) => fieldOf(page, place))));
      await reload();
      edits.forget();
      notifications.show({ message: say('content.saved') });
    },
    onError(error) {
      // The second person sees what the first one saved.
      void reload();
      const refused = error instanceof Problem ? error.faults : [];
      if (refused.length > 0) rows.refused(refused.flatMap(({ field }) => placeOf(field) ?? []));
    },
  });
  useUnsaved(edits.drafts.length > 0, say('content.leave'));

  const { ask, question } = useDiscarding(edits.drafts.length > 0);

  const problem = save.error instanceof Problem ? save.error : null;
  /** Errors of a version saved with gaps, until something is typed there. */
  const gaps = found.pages.flatMap(({ page, gaps: places }) => {
    const body = edits.pages.find((one) => one.page === page)?.body;
    const isGap = (place: string) => String(valueAt(body, placeNamed(place, body)) ?? '').trim() === '';
    return places.filter(isGap).map((place): [string, string] => [`${page} ${place}`, say('contentFault.saysNothing')]);
  });
  const faults = new Map(gaps);
  for (const [field, own] of Map.groupBy(problem?.faults ?? [], (fault) => fault.field))
    faults.set(field, own.map(({ code, parameters }) => say(`contentFault.${code}`, parameters)).join(' '));
  // The version just saved is newer than the loaded one, until the form restarts from it.
  const behind = save.isPending ? [] : edits.behind;
  const isBehind = behind.length > 0;
  const conflicts = useRef<HTMLDivElement>(null);
  const saving = useRef<HTMLButtonElement>(null);
  const isRefusedForIt = isBehind && problem?.code === 'changedMeanwhile';
  // It is above the form, out of sight of who saved.
  useEffect(() => {
    const told = conflicts.current?.querySelector<HTMLElement>('[role="alert"]');
    if (!isRefusedForIt || !told) return;
    told.focus({ preventScroll: true });
    told.scrollIntoView({ block: 'start' });
  }, [isRefusedForIt]);
  return (
    <PageSection title="content.edit">
      <Stack>
        <Stack ref={conflicts} display={isBehind ? undefined : 'none'}>
          {behind.map(({ page, versions }) => (
            <ContentConflict
              key={page.page}
              page={page}
              versions={versions}
              goOn={(body) => {
                edits.takeOver(page.page, body);
                save.reset();
                rows.focus(() => conflicts.current?.querySelector<HTMLElement>('[role="alert"]') ?? saving.current);
              }}
            />
          ))}
        </Stack>
        {found.pages.map(
          (page) =>
            page.release && (
              <FromRelease
                key={page.page}
                page={page}
                version={page.release.version}
                takeOver={(body) => edits.takeOver(page.page, body)}
                ask={edits.drafts.some((one) => one.page === page.page) ? ask : undefined}
              />
            ),
        )}
        {cleaned.length > 0 && (
          <Alert color="yellow" variant="light" role="alert">
            {say('content.cleaned', { places: cleaned.join('; ') })}
          </Alert>
        )}
        <PackageForm
          pages={edits.rows}
          shape={found.shape as Shape | undefined}
          faultAt={(page, place) => {
            const own = edits.placeIn(page, place);
            return own ? faults.get(`${page} ${placeName(own)}`) : undefined;
          }}
          votes={found.votes}
          rows={rows}
          keysOf={edits.keysOf}
          change={edits.change}
          changeList={edits.changeList}
        />
        {problem && !isBehind && <RefusedContent problem={problem} pages={edits.pages} />}
        <Group className="save">
          <Button
            ref={saving}
            onClick={() => save.mutate()}
            loading={save.isPending}
            disabled={edits.drafts.length === 0 || isBehind}
          >
            {say('content.save')}
          </Button>
          {edits.drafts.length > 0 && (
            <Button
              variant="default"
              onClick={() =>
                ask(() => {
                  edits.forget();
                  save.reset();
                  rows.focus((form) => form.querySelector<HTMLElement>('input'));
                })
              }
            >
              {say('content.discard')}
            </Button>
          )}
          {found.pages.some(({ draft }) => draft) && (
            <Button variant="default" onClick={() => ask(edits.beginAnew)}>
              {say('content.beginAnew')}
            </Button>
          )}
          <NotSaved
            count={edits.drafts.length}
            removed={edits.removed}
            putBack={(removed) => {
              rows.restored(removed);
              edits.undoRemove(removed);
            }}
          />
        </Group>
        {question}
      </Stack>
    </PageSection>
  );
}

interface NotSavedProps {
  /** In how many languages. */
  count: number;
  removed: Removed | null;
  putBack: (removed: Removed) => void;
}

/** What is not saved yet; an item that was removed last can be put back. */
function NotSaved({ count, removed, putBack }: NotSavedProps) {
  const { say } = useLanguage();
  const name =
    removed &&
    (Object.values(removed.items)
      .map(({ item }) => summaryOf(item))
      .find(Boolean) ??
      say('content.item', { number: removed.row + 1 }));
  return (
    <>
      {removed && (
        <Button variant="default" onClick={() => putBack(removed)}>
          {say('content.undo', { name })}
        </Button>
      )}
      <Text size="sm" role="status">
        {[removed && say('content.removed', { name }), count > 0 && say('content.unsaved', { count })]
          .filter(Boolean)
          .join(' ')}
      </Text>
    </>
  );
}

/** Asks before an act that loses what is not saved. */
function useDiscarding(isUnsaved: boolean) {
  const { say } = useLanguage();
  const [waiting, setWaiting] = useState<{ act: () => void } | null>(null);
  const question = waiting && (
    <ConfirmDialog
      title={say('app.discardTitle')}
      text={say('content.discardText')}
      action={say('app.discard')}
      close={() => setWaiting(null)}
      act={async () => waiting.act()}
    />
  );
  return { question, ask: (act: () => void) => (isUnsaved ? setWaiting({ act }) : act()) };
}

interface FromReleaseProps {
  page: PackagePage;
  version: number;
  takeOver: (body: Body) => void;
  /** Asks first, where something unsaved would be lost. */
  ask?: ((act: () => void) => void) | undefined;
}

/** Published texts stay; those that differ in a release can be adopted. */
function FromRelease({ page, version, takeOver, ask = (act) => act() }: FromReleaseProps) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const language = page.locale ? nameOf(page.locale) : say('content.allLanguages');
  const take = useAct({
    mutationFn: () => call('contentVersion', { page: page.page, version }),
    onSuccess: ({ body }) => {
      takeOver(body as Body);
      notifications.show({ message: say('content.releaseTaken') });
    },
  });
  return (
    <Alert color="indigo" variant="light">
      <Stack gap="xs">
        <Text fw={600}>{say('content.releaseNewer', { language, version })}</Text>
        <Disclosure label={say('content.releaseDiff', { language })}>
          {() => <VersionDiff page={page.page} from={page.shown.version} to={version} label={say('content.changes')} />}
        </Disclosure>
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            h="auto"
            py={4}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
            loading={take.isPending}
            onClick={() => ask(() => take.mutate())}
          >
            {say('content.releaseTake', { language })}
          </Button>
        </Group>
        {take.error && <ProblemBox problem={take.error} />}
      </Stack>
    </Alert>
  );
}

/** The changes for customers, by words. */
function Changes({ found }: { found: Package }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const changed = found.pages.filter(({ working, shown }) => working !== shown.version);
  if (changed.length === 0) return null;
  return (
    <PageSection title="content.changes">
      <Stack>
        {changed.map(({ page, locale, shown, working, shownBody, body }) => {
          const label = `${locale ? nameOf(locale) : ''} ${say('content.fromTo', { from: shown.version, to: working })}`;
          return (
            <Card key={page} withBorder padding="sm" lang={locale ?? undefined}>
              <Text fw={600}>{label.trim()}</Text>
              <PackageDiff before={shownBody} after={body} label={label.trim()} />
            </Card>
          );
        })}
      </Stack>
    </PageSection>
  );
}
