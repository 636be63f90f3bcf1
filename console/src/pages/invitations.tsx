import { Button, Checkbox, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { roles as allRoles, type Role } from '@portal/contract/console/permissions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Part } from '../ui/part.tsx';
import { problemWords } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';

export interface Invited {
  email: string;
  name: string;
  roles: Role[];
  /** Of somebody who is here, and gets another passkey. */
  person?: string;
}

/** Who was given a link and has not followed it yet. */
export function Invitations() {
  const language = useLanguage();
  const { say, sayOr } = language;
  const { time } = useFormat();
  const queries = useQueryClient();
  const invitations = useQuery({ queryKey: ['invitations'], queryFn: () => call('invitations') });
  const [isInviting, setInviting] = useState(false);

  async function withdraw(id: string) {
    await call('withdrawInvitation', { id }).catch((error: unknown) =>
      notifications.show({ color: 'red', message: problemWords(language, error) }),
    );
    await queries.invalidateQueries({ queryKey: ['invitations'] });
  }

  return (
    <Part title="invite.list">
      <Stack>
        <Loaded query={invitations}>
          {(rows) =>
            rows.length === 0 ? (
              <Text>{say('invite.none')}</Text>
            ) : (
              <Rows
                label={say('invite.list')}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'col.name', cell: ({ name, email }) => `${name} · ${email}` },
                  { title: 'col.roles', cell: ({ roles }) => roles.map((role) => sayOr(`role.${role}`)).join(', ') },
                  { title: 'invite.until', cell: ({ endsAt }) => time(endsAt) },
                  {
                    title: 'col.actions',
                    cell: ({ id, email }) => (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`${say('invite.withdraw')}: ${email}`}
                        onClick={() => void withdraw(id)}
                      >
                        {say('invite.withdraw')}
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
        <Group>
          <Button variant="default" onClick={() => setInviting(true)}>
            {say('invite.button')}
          </Button>
        </Group>
      </Stack>
      {isInviting && <InviteDialog close={() => setInviting(false)} />}
    </Part>
  );
}

/** Asks whom and why, then shows the link once. */
export function InviteDialog({ invited, close }: { invited?: Invited; close: () => void }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const queries = useQueryClient();
  const [email, setEmail] = useState(invited?.email ?? '');
  const [name, setName] = useState(invited?.name ?? '');
  const [roles, setRoles] = useState<Role[]>(invited?.roles ?? []);
  const [made, setMade] = useState<{ link: string; endsAt: string } | null>(null);
  if (made)
    return (
      <Dialog title={say('invite.made', { name })} close={close}>
        <Stack>
          <Text>{say('invite.madeText', { time: time(made.endsAt) })}</Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {made.link}
          </Code>
          <CopyButton value={made.link}>
            {({ copied, copy }) => <Button onClick={copy}>{say(copied ? 'invite.copied' : 'invite.copy')}</Button>}
          </CopyButton>
        </Stack>
      </Dialog>
    );
  return (
    <ReasonDialog
      title={say(invited ? 'invite.againTitle' : 'invite.button', { name })}
      text={say(invited ? 'invite.againText' : 'invite.text')}
      action={say('invite.make')}
      // Once there is a link the dialog shows it.
      close={() => undefined}
      cancel={close}
      draft={`invite ${invited?.person ?? ''}`}
      act={async (reason) => {
        setMade(
          await call('invite', { email: email.trim(), name: name.trim(), roles, person: invited?.person, reason }),
        );
        await queries.invalidateQueries({ queryKey: ['invitations'] });
      }}
    >
      {!invited && (
        <>
          <TextInput
            type="email"
            label={say('payment.email')}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
          />
          <TextInput
            label={say('col.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
          />
          <RoleChoice roles={roles} change={setRoles} />
        </>
      )}
    </ReasonDialog>
  );
}

export function RoleChoice({ roles, change }: { roles: Role[]; change: (roles: Role[]) => void }) {
  const { say } = useLanguage();
  return (
    <Checkbox.Group label={say('col.roles')} value={roles} onChange={(chosen) => change(chosen as Role[])} required>
      <Group mt="xs">
        {allRoles.map((role) => (
          <Checkbox key={role} value={role} label={say(`role.${role}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
