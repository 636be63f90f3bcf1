import { Button, Checkbox, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { roles as allRoles, type Role } from '@portal/contract/console/permissions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { problemWords } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { ProposalLink } from './proposal-link.tsx';

export interface Invited {
  email: string;
  name: string;
  roles: Role[];
  /** Set for an existing person who gets another passkey. */
  person?: string;
}

/** Invitations that were not used yet. */
export function Invitations() {
  const language = useLanguage();
  const { say, sayOr } = language;
  const { time } = useFormat();
  const queries = useQueryClient();
  const invitations = useQuery({ queryKey: ['invitations'], queryFn: () => call('invitations') });
  const [isInviting, setInviting] = useState(false);

  const withdraw = useAct({
    mutationFn: (id: string) => call('withdrawInvitation', { id }),
    onError: (error) => notifications.show({ color: 'red', message: problemWords(language, error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });

  return (
    <PageSection title="invite.list">
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
                        onClick={() => withdraw.mutate(id)}
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
        <Approved />
        <Group>
          <Button variant="default" onClick={() => setInviting(true)}>
            {say('invite.button')}
          </Button>
        </Group>
      </Stack>
      {isInviting && <InviteDialog close={() => setInviting(false)} />}
    </PageSection>
  );
}

interface Made {
  link: string;
  endsAt: string;
}

/** The link is stored nowhere: it is shown to one person, once. */
function MadeLink({ name, made, close }: { name: string; made: Made; close: () => void }) {
  const { say } = useLanguage();
  const { time } = useFormat();
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
}

/** Another admin has to approve it. */
export function ProposedNote({ proposal }: { proposal: string }) {
  const { say } = useLanguage();
  return (
    <Text role="status">
      {say('roles.proposed')} <ProposalLink id={proposal} />
    </Text>
  );
}

/** Approved invitations, for their proposer, who creates the link and hands it over. */
function Approved() {
  const { say, sayOr } = useLanguage();
  const queries = useQueryClient();
  const approved = useQuery({ queryKey: ['approved invitations'], queryFn: () => call('approvedInvitations') });
  const [chosen, setChosen] = useState<{ proposal: string; name: string } | null>(null);
  const [made, setMade] = useState<(Made & { name: string }) | null>(null);
  return (
    <>
      {approved.data && approved.data.length > 0 && (
        <Rows
          label={say('invite.approved')}
          rows={approved.data}
          keyOf={({ proposal }) => proposal}
          columns={[
            { title: 'invite.approved', cell: ({ name, email }) => `${name} · ${email}` },
            { title: 'col.roles', cell: ({ roles }) => roles.map((role) => sayOr(`role.${role}`)).join(', ') },
            {
              title: 'col.actions',
              cell: (one) => (
                <Button size="compact-sm" variant="default" onClick={() => setChosen(one)}>
                  {say('invite.make')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {chosen && (
        <ConfirmDialog
          title={say('invite.make')}
          text={say('invite.makeText', { name: chosen.name })}
          action={say('invite.make')}
          close={() => setChosen(null)}
          act={async () => {
            const link = await call('invitationLink', { proposal: chosen.proposal });
            setMade({ ...link, name: chosen.name });
          }}
          settled={() => queries.invalidateQueries()}
        />
      )}
      {made && <MadeLink name={made.name} made={made} close={() => setMade(null)} />}
    </>
  );
}

/** Asks for person and reason, then shows the link once. */
export function InviteDialog({ invited, close }: { invited?: Invited; close: () => void }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [email, setEmail] = useState(invited?.email ?? '');
  const [name, setName] = useState(invited?.name ?? '');
  const [roles, setRoles] = useState<Role[]>(invited?.roles ?? []);
  const [made, setMade] = useState<Made | { proposal: string } | null>(null);
  if (made && 'proposal' in made)
    return (
      <Dialog title={say('invite.button')} close={close}>
        <ProposedNote proposal={made.proposal} />
      </Dialog>
    );
  if (made) return <MadeLink name={name} made={made} close={close} />;
  return (
    <ReasonDialog
      title={say(invited ? 'invite.againTitle' : 'invite.button', { name })}
      text={say(invited ? 'invite.againText' : 'invite.text')}
      action={say('invite.make')}
      // Once the link exists, the dialog shows it.
      close={() => undefined}
      cancel={close}
      draft={`invite ${invited?.person ?? ''}`}
      act={async (reason) => {
        const whom = { email: email.trim(), name: name.trim(), roles, person: invited?.person };
        const { link, endsAt, proposal } = await call('invite', { ...whom, reason });
        if (proposal) setMade({ proposal });
        else if (link && endsAt) setMade({ link, endsAt });
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
