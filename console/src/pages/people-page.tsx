import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys } from '../lib/passkeys.ts';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMe } from '../lib/use-me.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { problemWords } from '../ui/problem-box.tsx';
import { mustProve, ProveAgain } from '../ui/prove-again.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { Invitations } from './invitations.tsx';
import { PersonKeys } from './person-keys.tsx';
import { SessionRows } from './session-rows.tsx';

type Person = ConsoleResult<'people'>[number];

const passkeyColumn: Column<Person> = {
  title: 'passkeys.count',
  cell: ({ passkeys }) => passkeys,
  isNumber: true,
};

/** The operator's people: roles, sessions, and closing an account. */
export function PeoplePage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const { email: own } = useMe();
  const queries = useQueryClient();
  const people = useQuery({ queryKey: ['people'], queryFn: () => call('people') });
  const [closing, setClosing] = useState<Person | null>(null);
  const [shown, setShown] = useState<Person | null>(null);
  const [managed, setManaged] = useState<Person | null>(null);
  return (
    <Stack>
      <Title order={1}>{say('people.title')}</Title>
      <Loaded query={people}>
        {(rows) => {
          const earlier = rows.filter(({ isEarlier }) => isEarlier);
          const columns: Column<Person>[] = [
            {
              title: 'col.name',
              cell: ({ name, email, isClosed }) => (
                <>
                  {name} · {email} {isClosed && <Badge color="red">{say('people.closed')}</Badge>}
                </>
              ),
            },
            { title: 'col.roles', cell: ({ roles }) => roles.map((role) => sayOr(`role.${role}`)).join(', ') },
            { title: 'col.seen', cell: ({ seenAt }) => time(seenAt) },
            { title: 'col.sessions', cell: ({ sessions }) => sessions, isNumber: true },
            ...(hasPasskeys ? [passkeyColumn] : []),
            {
              title: 'col.actions',
              cell: (person) => (
                // Side by side if they fit: a button that is squeezed breaks its word.
                <Group gap="xs">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${say('people.sessions')}: ${person.name}`}
                    onClick={() => setShown(person)}
                  >
                    {say('people.sessions')}
                  </Button>
                  {hasPasskeys && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${say('people.manage')}: ${person.name}`}
                      onClick={() => setManaged(person)}
                    >
                      {say('people.manage')}
                    </Button>
                  )}
                  {person.email !== own && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${say(person.isClosed ? 'people.open' : 'people.close')}: ${person.name}`}
                      onClick={() => setClosing(person)}
                    >
                      {say(person.isClosed ? 'people.open' : 'people.close')}
                    </Button>
                  )}
                </Group>
              ),
            },
          ];
          return (
            <>
              <Rows
                label={say('people.title')}
                rows={rows.filter(({ isEarlier }) => !isEarlier)}
                keyOf={({ id }) => id}
                columns={columns}
              />
              {earlier.length > 0 && (
                <Disclosure label={`${say('people.earlier')} (${earlier.length})`}>
                  {() => (
                    <>
                      <Text size="sm">{say('people.earlierText')}</Text>
                      <Rows label={say('people.earlier')} rows={earlier} keyOf={({ id }) => id} columns={columns} />
                    </>
                  )}
                </Disclosure>
              )}
            </>
          );
        }}
      </Loaded>
      {closing && (
        <ReasonDialog
          title={say(closing.isClosed ? 'people.openTitle' : 'people.closeTitle', { name: closing.name })}
          text={say(closing.isClosed ? 'people.openText' : 'people.closeText')}
          action={say(closing.isClosed ? 'people.open' : 'people.close')}
          close={() => setClosing(null)}
          draft={`close ${closing.id}`}
          act={async (reason) => {
            const { proposal } = await call('closePerson', { person: closing.id, isClosed: !closing.isClosed, reason });
            await queries.invalidateQueries({ queryKey: ['people'] });
            notifications.show({ message: say(proposal ? 'roles.proposed' : 'people.done') });
          }}
        />
      )}
      {hasPasskeys && <Invitations />}
      {shown && <PersonSessions person={shown} close={() => setShown(null)} />}
      {managed && <PersonKeys person={managed} close={() => setManaged(null)} />}
    </Stack>
  );
}

function PersonSessions({ person, close }: { person: Person; close: () => void }) {
  const language = useLanguage();
  const { say } = language;
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions of', person.id],
    queryFn: () => call('sessionsOf', { person: person.id }),
  });
  const end = useAct({
    mutationFn: (session: string) => call('endSessionOf', { session }),
    async onSuccess() {
      await queries.invalidateQueries();
      notifications.show({ message: say('sessions.ended') });
    },
    onError(error) {
      if (!mustProve(error)) notifications.show({ color: 'red', message: problemWords(language, error) });
    },
  });

  return (
    <Dialog size="xl" close={close} title={say('sessions.of', { name: person.name })}>
      {mustProve(end.error) && <ProveAgain proved={end.reset} cancel={end.reset} />}
      <Loaded query={sessions}>
        {(rows) => (
          <SessionRows
            label={say('sessions.of', { name: person.name })}
            rows={rows}
            action={({ id, isOwn }) =>
              isOwn ? (
                say('sessions.this')
              ) : (
                <Button size="compact-sm" variant="default" onClick={() => end.mutate(id)}>
                  {say('sessions.end')}
                </Button>
              )
            }
          />
        )}
      </Loaded>
    </Dialog>
  );
}
