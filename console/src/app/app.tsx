import { Anchor, Button, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import { joinPage } from '@portal/contract/console/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Activity, useEffect, useEffectEvent, useState } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { call, callAs, isSignedOut, loginAddress, onSessionOver, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys, signInByPasskey } from '../lib/passkeys.ts';
import { onSignedOut } from '../lib/step-up.ts';
import { useGuardedLocation } from '../lib/unsaved.ts';
import { useAct } from '../lib/use-act.ts';
import { MeContext, useMay, useMe } from '../lib/use-me.ts';
import { JoinPage } from '../pages/join-page.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ProveButton } from '../ui/prove-button.tsx';
import { type ConsolePage, pages } from './pages.ts';
import { Shell } from './shell.tsx';

/** An invited person is not signed in yet, or is signed in as somebody else. */
export function App() {
  return hasPasskeys && window.location.pathname === joinPage ? <JoinPage /> : <Desk />;
}

function Desk() {
  const queries = useQueryClient();
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => call('me'),
    refetchInterval: 60_000,
  });
  const ask = useEffectEvent(() => void me.refetch());
  useEffect(() => onSessionOver(() => ask()), []);
  useEffect(() => onSignedOut(() => ask()), []);
  const isOver = isSignedOut(me.error);

  /** The person whose pages are mounted; they are not shown to anybody else. */
  const [owner, setOwner] = useState<string | null>(null);
  if (me.data && owner === null) {
    setOwner(me.data.id);
    callAs(me.data.id);
  }
  const isOther = me.data !== undefined && owner !== null && me.data.id !== owner;
  useEffect(() => {
    if (isOther) window.location.reload();
  }, [isOther]);

  if (me.data && !isOther && (isOver || !me.isError))
    return (
      <>
        {/* Hidden but still mounted, so that the same person can continue after signing in again. */}
        <Activity mode={isOver ? 'hidden' : 'visible'}>
          <MeContext value={me.data}>
            <Router base="/console" hook={useGuardedLocation}>
              <Shell>
                <Pages />
              </Shell>
            </Router>
          </MeContext>
        </Activity>
        {isOver && <SignIn problem={me.error} signedIn={() => void queries.invalidateQueries()} />}
      </>
    );
  if (isOver) return <SignIn problem={me.error} />;
  return (
    <Center mih="100dvh">{me.error ? <ProblemBox problem={me.error} retry={() => me.refetch()} /> : <Loader />}</Center>
  );
}

function Pages() {
  const may = useMay();
  const { say } = useLanguage();
  const { name } = useMe();
  const isOwn = ({ permission }: ConsolePage) => permission === null || may(permission);
  const [first] = pages.filter((one) => one.inMenu && isOwn(one));
  return (
    <Switch>
      {pages.map((one) => (
        <Route key={one.path} path={one.path}>
          {isOwn(one) ? <one.Page /> : <NotHere title={say('home.notYours')} page={one} first={first} />}
        </Route>
      ))}
      <Route path="/">
        {first && first.permission !== null ? (
          <first.Page />
        ) : (
          <Stack>
            <Title order={1}>{say('home.title', { name })}</Title>
            <Text>{say('home.nothing')}</Text>
          </Stack>
        )}
      </Route>
      <Route>
        <NotHere title={say('home.noPage')} first={first} />
      </Route>
    </Switch>
  );
}

/** Explains why a page is not permitted, with a link to one that is. */
function NotHere({ title, page, first }: { title: string; page?: ConsolePage; first: ConsolePage | undefined }) {
  const { say, sayOr } = useLanguage();
  const { roles } = useMe();
  const role = roles.map((one) => sayOr(`role.${one}`)).join(', ');
  return (
    <Stack>
      <Title order={1}>{title}</Title>
      {page && <Text>{say('home.notYoursText', { page: say(page.title), role })}</Text>}
      {first && (
        <Anchor component={Link} href={first.path}>
          {say(first.title)}
        </Anchor>
      )}
    </Stack>
  );
}

/** Signing in again happens beside the open work; otherwise it leads to the requested page. */
function SignIn({ problem, signedIn }: { problem: unknown; signedIn?: () => void }) {
  const { say, sayOr } = useLanguage();
  const told = new URLSearchParams(window.location.search).get('problem');
  const isElsewhere = problem instanceof Problem && problem.code === 'otherBrowser';
  const sentence = isElsewhere
    ? say('problem.otherBrowser')
    : signedIn
      ? say('signIn.ended')
      : told && sayOr(`signIn.${told}`);
  return (
    <Container size="xs" component="main" mih="100dvh" pt="20dvh" className={signedIn && 'session-over'}>
      <Stack>
        <Title order={1}>{document.title}</Title>
        <Text>{say('signIn.text')}</Text>
        {sentence && (
          <Text role="alert" fw={600}>
            {sentence}
          </Text>
        )}
        {signedIn ? (
          <ProveButton signsIn proved={signedIn} />
        ) : hasPasskeys ? (
          <PasskeySignIn />
        ) : (
          <Button component="a" href={loginAddress()} size="md">
            {say('signIn.button')}
          </Button>
        )}
      </Stack>
    </Container>
  );
}

function PasskeySignIn() {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const enter = useAct({ mutationFn: signInByPasskey, onSuccess: () => queries.resetQueries({ queryKey: ['me'] }) });
  return (
    <>
      {enter.error && <ProblemBox problem={enter.error} />}
      <Button size="md" onClick={() => enter.mutate()}>
        {say('signIn.passkey')}
      </Button>
    </>
  );
}
