import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMe } from '../lib/use-me.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Rows } from '../ui/rows.tsx';

type Packages = ConsoleResult<'contents'>['packages'];
export type LanguagePage = Packages[number]['pages'][number];

/** Every content package, its languages side by side. */
export function ContentsPage() {
  const { say, sayOr } = useLanguage();
  const nameOf = useLanguageName();
  const { languages } = useMe().operator;
  const found = useQuery({ queryKey: ['contents'], queryFn: () => call('contents') });
  return (
    <Stack>
      <Title order={1}>{say('content.title')}</Title>
      <Text>{say('content.text')}</Text>
      <Loaded query={found}>
        {({ packages }) => (
          <Rows
            label={say('content.title')}
            rows={packages}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'content.package',
                cell: ({ name }) => (
                  <Anchor component={Link} href={`/content/${name}`}>
                    {sayOr(`contentName.${name}`)}
                  </Anchor>
                ),
              },
              ...languages.map((locale) => ({
                title: 'app.language' as const,
                name: nameOf(locale),
                cell: ({ pages }: Packages[number]) => (
                  <Standing page={pages.find((one) => one.locale === locale || one.locale === null)} />
                ),
              })),
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** Since when a language's version is published, and what needs attention. */
export function Standing({ page }: { page: LanguagePage | undefined }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  if (!page) return <Mark colour="red">{say('content.none')}</Mark>;
  const { shown, draft, release, plan, missing, isOlder } = page;
  return (
    <Stack gap={2}>
      <Text size="sm">{say('content.since', { version: shown.version, time: time(shown.at) })}</Text>
      <Group gap={4}>
        {missing.length > 0 && <Mark colour="yellow">{say('content.missing', { count: missing.length })}</Mark>}
        {isOlder && <Mark colour="yellow">{say('content.older')}</Mark>}
        {release && <Mark colour="yellow">{say('content.release', { version: release.version })}</Mark>}
        {draft && <Mark colour="indigo">{say('content.draft', { version: draft.version })}</Mark>}
        {plan?.state === 'planned' && (
          <Mark colour="teal">{say('content.planned', { version: plan.version, time: time(plan.at) })}</Mark>
        )}
        {plan?.state === 'overtaken' && plan.version > shown.version && (
          <Mark colour="red">{say('content.overtaken', { version: plan.version })}</Mark>
        )}
      </Group>
    </Stack>
  );
}

function Mark({ colour, children }: { colour: string; children: string }) {
  return (
    <Badge variant="light" color={colour} tt="none" h="auto" styles={{ label: { whiteSpace: 'normal' } }}>
      {children}
    </Badge>
  );
}
