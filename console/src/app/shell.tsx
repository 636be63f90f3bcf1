import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Kbd,
  NativeSelect,
  NavLink,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../lib/api.ts';
import { languageNames, useLanguage } from '../lib/language.tsx';
import { lookFor } from '../lib/search-text.ts';
import { tellSignedOut } from '../lib/step-up.ts';
import { useAct } from '../lib/use-act.ts';
import { useMay, useMe } from '../lib/use-me.ts';
import { useMyApprovals } from '../lib/use-own-proposals.ts';
import { type ConsolePage, pages } from './pages.ts';

/** The frame of every page: the menu of permitted pages, the search, and the signed-in person. */
export function Shell({ children }: { children: ReactNode }) {
  const { say, sayOr, code, choose } = useLanguage();
  const { name, email, roles, operator } = useMe();
  const may = useMay();
  const [isOpen, menu] = useDisclosure();
  const [location, go] = useLocation();
  const [text, setText] = useState('');
  const isArriving = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0;
  const menuPages = pages.filter(({ inMenu, permission }) => inMenu && (permission === null || may(permission)));

  const closeMenu = menu.close;
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the menu on each navigation.
  useEffect(closeMenu, [location]);
  useEffect(() => {
    document.title = `${say('app.title')} · ${operator.brand}`;
  }, [say, operator.brand]);
  useHotkeys([['/', () => may('payments.find') && go('/find?focus=1')]]);

  const signOut = useSignOut();

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip" href="#content">
        {say('app.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={say('app.menu')} />
            <Text fw={700}>{operator.brand}</Text>
            <Text c="dimmed" visibleFrom="xs">
              {say('app.title')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" size="xs" visibleFrom="sm" onClick={spotlight.open}>
              {say('nav.find')} <Kbd ml="xs">Ctrl K</Kbd>
            </Button>
            <ThemeSwitch />
            <NativeSelect
              aria-label={say('app.language')}
              size="xs"
              value={code}
              onChange={(event) => choose(event.currentTarget.value)}
              data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
            />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md">
        <AppShell.Section grow component="nav" aria-label={say('app.menu')}>
          <MenuLinks pages={menuPages} />
        </AppShell.Section>
        <AppShell.Section>
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {email}
            </Text>
            <Group gap={4}>
              {roles.map((role) => (
                <Badge key={role} variant="light" color="gray">
                  {sayOr(`role.${role}`)}
                </Badge>
              ))}
            </Group>
            <Button variant="default" size="xs" onClick={() => signOut.mutate()}>
              {say('app.signOut')}
            </Button>
          </Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} aria-busy={isArriving || undefined}>
        {children}
      </AppShell.Main>
      <Spotlight
        shortcut="mod + K"
        actions={[
          ...menuPages.map(({ path, title }) => ({ id: path, label: say(title), onClick: () => go(path) })),
          ...(text && may('payments.find')
            ? [
                {
                  id: 'find',
                  label: `${say('find.button')}: ${text}`,
                  keywords: [text],
                  onClick: () => {
                    lookFor(text);
                    go('/find');
                  },
                },
              ]
            : []),
        ]}
        query={text}
        onQueryChange={setText}
        nothingFound={say('app.empty')}
        searchProps={{ placeholder: say('app.goTo'), 'aria-label': say('app.goTo') }}
      />
    </AppShell>
  );
}

function useSignOut() {
  const queries = useQueryClient();
  return useAct({
    async mutationFn() {
      await call('signOut').catch(() => {});
      tellSignedOut();
      await queries.resetQueries({ queryKey: ['me'] });
    },
  });
}

function MenuLinks({ pages: shown }: { pages: readonly ConsolePage[] }) {
  const { say } = useLanguage();
  const [location] = useLocation();
  /** The root shows the first page. */
  const current = shown.find(({ path }) => location.startsWith(path) || location === '/')?.path;
  return shown.map(({ path, title }) => (
    <NavLink
      key={path}
      component={Link}
      href={path}
      label={say(title)}
      rightSection={path === '/approvals' ? <MyCount /> : undefined}
      active={path === current}
      aria-current={path === current ? 'page' : undefined}
    />
  ));
}

/** How many proposals wait for this person. */
function MyCount() {
  const { say } = useLanguage();
  const mine = useMyApprovals().data;
  if (!mine || mine.proposals.length === 0) return null;
  const count = `${mine.proposals.length}${mine.next ? '+' : ''}`;
  return (
    <Badge circle={count.length < 3} size="md">
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{say('approvals.countMine', { count })}</VisuallyHidden>
    </Badge>
  );
}

function ThemeSwitch() {
  const { say } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="md"
      aria-label={say('app.theme')}
      aria-pressed={isDark}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <span aria-hidden="true">{isDark ? '☀' : '☾'}</span>
    </ActionIcon>
  );
}
