import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { type Package, type PackagePage, useReloadContent } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay } from '../lib/use-me.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { PackageDiff } from '../ui/word-diff.tsx';

interface Compared {
  page: string;
  from: number;
  to: number;
  label: string;
}

/** The differences between two versions. */
export function VersionDiff({ page, from, to, label }: Compared) {
  const { say } = useLanguage();
  const queries = [from, to].map((version) => ({
    queryKey: ['version', page, version],
    queryFn: () => call('contentVersion', { page, version }),
    staleTime: Number.POSITIVE_INFINITY,
  }));
  const [before, after] = useQueries({ queries });
  const problem = before?.error ?? after?.error;
  if (problem) return <ProblemBox problem={problem} />;
  if (!before?.data || !after?.data) return <Text role="status">{say('app.loading')}</Text>;
  return <PackageDiff before={before.data.body} after={after.data.body} label={label} />;
}

/** All versions, and roll back to an earlier one. */
export function ContentVersions({ found }: { found: Package }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  return (
    <PageSection title="content.versions">
      <Stack gap={4}>
        {found.pages.map((page) => (
          <Disclosure key={page.page} label={page.locale ? nameOf(page.locale) : say('content.allLanguages')}>
            {() => <Versions page={page} />}
          </Disclosure>
        ))}
      </Stack>
    </PageSection>
  );
}

function Versions({ page }: { page: PackagePage }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const nameOf = useLanguageName();
  const may = useMay();
  const [compared, setCompared] = useState<number | null>(null);
  const [back, setBack] = useState<number | null>(null);
  const { shown } = page;
  return (
    <>
      <Rows
        label={`${say('content.versions')} ${page.locale ? nameOf(page.locale) : ''}`.trim()}
        rows={page.versions}
        keyOf={({ version }) => String(version)}
        columns={[
          { title: 'content.number', cell: ({ version }) => version },
          { title: 'col.when', cell: ({ at }) => time(at) },
          { title: 'col.person', cell: ({ by }) => by ?? say('content.byRelease') },
          {
            title: 'col.state',
            cell: ({ version, wasShown }) => (
              <Badge variant="light" color={version === shown.version ? 'teal' : 'gray'} tt="none" miw="max-content">
                {say(
                  version === shown.version ? 'content.isShown' : wasShown ? 'content.wasShown' : 'content.neverShown',
                )}
              </Badge>
            ),
          },
          {
            title: 'col.actions',
            cell: ({ version, wasShown }) =>
              version === shown.version ? (
                ''
              ) : (
                <Group gap={4} justify="flex-end">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${say('content.compare')}: ${version}`}
                    onClick={() => setCompared(version)}
                  >
                    {say('content.compare')}
                  </Button>
                  {wasShown && may('content.publish') && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${say('content.rollBack')}: ${version}`}
                      onClick={() => setBack(version)}
                    >
                      {say('content.rollBack')}
                    </Button>
                  )}
                </Group>
              ),
          },
        ]}
      />
      {compared !== null && (
        <Dialog
          title={say('content.fromTo', { from: shown.version, to: compared })}
          close={() => setCompared(null)}
          size="lg"
        >
          <VersionDiff page={page.page} from={shown.version} to={compared} label={say('content.changes')} />
        </Dialog>
      )}
      {back !== null && <RollBackDialog page={page} version={back} close={() => setBack(null)} />}
    </>
  );
}

function RollBackDialog({ page, version, close }: { page: PackagePage; version: number; close: () => void }) {
  const { say } = useLanguage();
  const reload = useReloadContent();
  const items = [{ page: page.page, version, shown: page.shown.version }];
  return (
    <ReasonDialog
      title={say('content.rollBackTitle', { version })}
      text={say('content.rollBackText')}
      action={say('content.rollBack')}
      close={close}
      draft={`roll back ${page.page} ${version}`}
      act={async (reason) => {
        await call('rollBackContent', { items, reason }).finally(reload);
        notifications.show({ message: say('content.published') });
      }}
    />
  );
}
