import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { addPasskey } from '../lib/passkeys.ts';
import { useAct } from '../lib/use-act.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { mustProve, ProveAgain } from '../ui/prove-again.tsx';
import { PasskeyRows } from './passkey-rows.tsx';

/** One's own passkeys: add a second one in case a phone is lost, and remove a lost one. */
export function OwnPasskeys() {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => call('passkeys') });
  const again = () => queries.invalidateQueries({ queryKey: ['passkeys'] });
  const add = useAct({
    mutationFn: addPasskey,
    onSuccess() {
      setName('');
      return again();
    },
  });
  const [removed, setRemoved] = useState<{ id: string; name: string } | null>(null);

  const adding = useRef<HTMLButtonElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    add.mutate(name.trim());
  }

  return (
    <PageSection title="passkeys.title">
      <Stack>
        <Loaded query={passkeys}>
          {(rows) => (
            <PasskeyRows
              label={say('passkeys.title')}
              rows={rows}
              action={({ id, name: called }) =>
                rows.length > 1 && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${say('passkeys.remove')}: ${called}`}
                    onClick={() => setRemoved({ id, name: called })}
                  >
                    {say('passkeys.remove')}
                  </Button>
                )
              }
            />
          )}
        </Loaded>
        {removed && (
          <ConfirmDialog
            title={say('passkeys.removeOwnTitle', { name: removed.name })}
            text={say('passkeys.removeOwnText')}
            action={say('passkeys.remove')}
            close={() => setRemoved(null)}
            act={() => call('removePasskey', { id: removed.id })}
            settled={again}
          />
        )}
        {add.error && !mustProve(add.error) && <ProblemBox problem={add.error} />}
        {mustProve(add.error) && (
          <ProveAgain
            proved={() => {
              add.reset();
              adding.current?.focus();
            }}
          />
        )}
        <form onSubmit={submit}>
          <Group align="flex-end">
            <TextInput
              label={say('passkeys.name')}
              description={say('passkeys.nameHint')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={60}
              required
              flex="1 1 12rem"
            />
            <Button ref={adding} type="submit" variant="default" loading={add.isPending}>
              {say('passkeys.add')}
            </Button>
          </Group>
        </form>
      </Stack>
    </PageSection>
  );
}
