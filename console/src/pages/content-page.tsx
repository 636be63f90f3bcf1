import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { call, Problem } from '../lib/api.ts';
import type { Package, PackagePage } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import type { Shape } from '../lib/package-tree.ts';
import { useContentEdits } from '../lib/use-content-edits.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay } from '../lib/use-me.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Part } from '../ui/part.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { PackageDiff } from '../ui/word-diff.tsx';
import { ContentPreview } from './content-preview.tsx';
import { PublishDialog, TakeBackDialog } from './content-publish.tsx';
import { ContentVersions, VersionDiff } from './content-versions.tsx';
import { Standing } from './contents-page.tsx';
import { PackageForm } from './package-form.tsx';

/** One package: what each language says, the way to say something else, and what that will look like. */
export function ContentPage() {
  const { name = '' } = useParams<{ name: string }>();
  const found = useQuery({ queryKey: ['content', name], queryFn: () => call('content', { name }) });
  return <Loaded query={found}>{(loaded) => <Shown key={loaded.name} found={loaded} />}</Loaded>;
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
  return (
    <Part title="content.shown">
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
      {may('content.propose') && (
        <Group mt="md">
          <Button onClick={() => setPublishing(true)} disabled={!hasNew}>
            {say('content.publish')}
          </Button>
          {!hasNew && <Text size="sm">{say('content.nothingNew')}</Text>}
        </Group>
      )}
      {isPublishing && <PublishDialog found={found} close={() => setPublishing(false)} />}
      {takingBack && <TakeBackDialog page={takingBack} close={() => setTakingBack(null)} />}
    </Part>
  );
}

/** What was written and not kept stays in this tab, whatever happens to the page. */
function Editing({ found }: { found: Package }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const edits = useContentEdits(found);
  const [cleaned, setCleaned] = useState<string[]>([]);
  const reload = () => queries.invalidateQueries({ queryKey: ['content', found.name] });
  const save = useMutation({
    mutationFn: () => call('saveContent', { drafts: edits.drafts }),
    onSuccess: async ({ kept }) => {
      setCleaned(kept.flatMap(({ page, cleaned: places }) => places.map((place) => `${page} ${place}`)));
      await reload();
      edits.forget();
      notifications.show({ message: say('content.saved') });
    },
    // Whoever was second sees what the other one wrote.
    onError: () => void reload(),
  });
  useEffect(() => {
    if (edits.drafts.length === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [edits.drafts.length]);

  const problem = save.error instanceof Problem ? save.error : null;
  const faults = new Map(problem?.faults.map(({ field, says }) => [field, says]));
  const isBehind = edits.behind.length > 0;
  return (
    <Part title="content.edit">
      <Stack>
        {edits.behind.map((page) => (
          <Behind
            key={page.page}
            page={page}
            seen={edits.seenOf(page.page)}
            keepMine={() => {
              edits.keepMine(page.page);
              save.reset();
            }}
            takeTheirs={() => {
              edits.takeTheirs(page.page);
              save.reset();
            }}
          />
        ))}
        {cleaned.length > 0 && (
          <Alert color="yellow" variant="light" role="alert">
            {say('content.cleaned', { places: cleaned.join(', ') })}
          </Alert>
        )}
        <PackageForm
          pages={edits.pages}
          shape={found.shape as Shape | undefined}
          faults={faults}
          votes={found.votes}
          change={edits.change}
          changeList={edits.changeList}
        />
        {problem && !isBehind && <ProblemBox problem={problem} />}
        <Group className="save">
          <Button
            onClick={() => save.mutate()}
            loading={save.isPending}
            disabled={edits.drafts.length === 0 || isBehind}
          >
            {say('content.save')}
          </Button>
          {edits.drafts.length > 0 && (
            <Button
              variant="default"
              onClick={() => {
                edits.forget();
                save.reset();
              }}
            >
              {say('content.discard')}
            </Button>
          )}
          {found.pages.some(({ draft }) => draft) && (
            <Button variant="default" onClick={edits.beginAnew}>
              {say('content.beginAnew')}
            </Button>
          )}
          <Text size="sm" role="status">
            {edits.drafts.length > 0 ? say('content.unsaved', { count: edits.drafts.length }) : ''}
          </Text>
        </Group>
      </Stack>
    </Part>
  );
}

interface BehindProps {
  page: PackagePage;
  seen: number;
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Somebody else kept a version since this one was begun. */
function Behind({ page, seen, keepMine, takeTheirs }: BehindProps) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const [newest] = page.versions;
  const language = page.locale ? nameOf(page.locale) : say('content.allLanguages');
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Stack gap="xs">
        <Text fw={600}>{say('content.behind', { language, person: newest?.by ?? say('content.byRelease') })}</Text>
        <VersionDiff page={page.page} from={seen} to={page.newest} label={say('content.theirChange')} />
        <Group>
          <Button size="compact-sm" variant="default" onClick={keepMine}>
            {say('content.keepMine')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={takeTheirs}>
            {say('content.takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** What would change for customers, by words. */
function Changes({ found }: { found: Package }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const changed = found.pages.filter(({ working, shown }) => working !== shown.version);
  if (changed.length === 0) return null;
  return (
    <Part title="content.changes">
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
    </Part>
  );
}
