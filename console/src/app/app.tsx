import { Button, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import { joinPage } from '@portal/contract/console/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { call, loginAddress, Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys, signInByPasskey } from '../lib/passkeys.ts';
import { MeContext, useMay, useMe } from '../lib/use-me.ts';
import { JoinPage } from '../pages/join-page.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

const signedOut = ['notSignedIn', 'sessionEnded', 'otherBrowser'];

/** Who was invited is not signed in yet, or as somebody else. */
export function App() {
  return hasPasskeys && window.location.pathname === joinPage ? <JoinPage /> : <Desk />;
}

function Desk() {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => call('me'),
    refetchInterval: 60_000,
  });
  if (me.data && !me.isError)
    return (
      <MeContext value={me.data}>
        <Router base="/console">
          <Shell>
            <Pages />
          </Shell>
        </Router>
      </MeContext>
    );
  if (me.error instanceof Problem && signedOut.includes(me.error.code))
    return <SignIn code={me.error.code} wasSignedIn={me.data !== undefined} />;
  return (
    <Center mih="100dvh">{me.error ? <ProblemBox problem={me.error} retry={() => me.refetch()} /> : <Loader />}</Center>
  );
}

function Pages() {
  const may = useMay();
  const { say } = useLanguage();
  const { name } = useMe();
  const shown = pages.filter(({ permission }) => permission === null || may(permission));
  const [first] = shown.filter(({ inMenu }) => inMenu);
  return (
    <Switch>
      {shown.map(({ path, Page }) => (
        <Route key={path} path={path} component={Page} />
      ))}
      <Route>
        {first && first.permission !== null ? (
          <first.Page />
        ) : (
          <Stack>
            <Title order={1}>{say('home.title', { name })}</Title>
            <Text>{say('home.nothing')}</Text>
          </Stack>
        )}
      </Route>
    </Switch>
  );
}

function SignIn({ code, wasSignedIn }: { code: string; wasSignedIn: boolean }) {
  const { say, sayOr } = useLanguage();
  const problem = new URLSearchParams(window.location.search).get('problem');
  const sentence = problem ? sayOr(`signIn.${problem}`) : wasSignedIn ? say('signIn.ended') : null;
  return (
    <Container size="xs" component="main" mih="100dvh" pt="20dvh">
      <Stack>
        <Title order={1}>{document.title}</Title>
        <Text>{say('signIn.text')}</Text>
        {(sentence || code === 'otherBrowser') && (
          <Text role="alert" fw={600}>
            {sentence ?? say('problem.otherBrowser')}
          </Text>
        )}
        {hasPasskeys ? (
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
  const [problem, setProblem] = useState<unknown>(null);
  const enter = () => signInByPasskey().then(() => queries.resetQueries({ queryKey: ['me'] }), setProblem);
  return (
    <>
      {problem !== null && <ProblemBox problem={problem} />}
      <Button size="md" onClick={() => void enter()}>
        {say('signIn.passkey')}
      </Button>
    </>
  );
}
