import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { isRole } from '@portal/contract/console/permissions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useMe } from '../lib/use-me.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { InviteDialog, ProposedNote, RoleChoice } from './invitations.tsx';
import { PasskeyRows } from './passkey-rows.tsx';

type Person = ConsoleResult<'people'>[number];

/** Roles and passkeys of a person, which an admin manages where there is no sign-in provider. */
export function PersonKeys({ person, close }: { person: Person; close: () => void }) {
  const { say } = useLanguage();
  const { email: own } = useMe();
  const queries = useQueryClient();
  const held = person.roles.filter(isRole);
  const [roles, setRoles] = useState(held);
  const [act, setAct] = useState<'roles' | 'link' | { remove: string; name: string } | null>(null);
  const passkeys = useQuery({
    queryKey: ['passkeys of', person.id],
    queryFn: () => call('passkeysOf', { person: person.id }),
  });
  const done = async () => {
    await queries.invalidateQueries();
    notifications.show({ message: say('people.done') });
  };

  if (act === 'roles')
    return (
      <ReasonDialog
        title={say('people.rolesTitle', { name: person.name })}
        text={say('people.rolesText')}
        action={say('people.roles')}
        close={close}
        draft={`roles ${person.id}`}
        act={async (reason) => {
          const { proposal } = await call('setRoles', { person: person.id, roles, reason });
          if (proposal) notifications.show({ message: <ProposedNote proposal={proposal} />, autoClose: false });
          else await done();
        }}
      >
        <RoleChoice roles={roles} change={setRoles} />
      </ReasonDialog>
    );
  if (act === 'link') {
    const { id, email, name } = person;
    return <InviteDialog invited={{ email, name, roles: held, person: id }} close={close} />;
  }
  if (act)
    return (
      <ReasonDialog
        title={say('passkeys.removeTitle', { name: act.name, person: person.name })}
        text={say('passkeys.removeText')}
        action={say('passkeys.remove')}
        close={close}
        draft={`remove ${act.remove}`}
        act={(reason) => call('removePasskeyOf', { person: person.id, id: act.remove, reason }).then(done)}
      />
    );
  return (
    <Dialog size="xl" close={close} title={say('people.managed', { name: person.name })}>
      <Stack>
        <Loaded query={passkeys}>
          {(rows) =>
            rows.length === 0 ? (
              <Text>{say('passkeys.none')}</Text>
            ) : (
              <PasskeyRows
                label={say('passkeys.of', { name: person.name })}
                rows={rows}
                action={({ id, name }) =>
                  person.email !== own && (
                    <Button size="compact-sm" variant="default" onClick={() => setAct({ remove: id, name })}>
                      {say('passkeys.remove')}
                    </Button>
                  )
                }
              />
            )
          }
        </Loaded>
        <Group>
          <Button variant="default" onClick={() => setAct('roles')}>
            {say('people.roles')}
          </Button>
          <Button variant="default" onClick={() => setAct('link')}>
            {say('invite.again')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
