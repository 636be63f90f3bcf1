import { Button, Container, Stack, Text, TextInput, Title } from '@mantine/core';
import { consoleRoot } from '@portal/contract/console/calls.ts';
import { type FormEvent, useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { join } from '../lib/passkeys.ts';
import { useAct } from '../lib/use-act.ts';
import { ProblemBox } from '../ui/problem-box.tsx';

/** An invited person creates their first passkey here. The secret is behind #, which is never sent to a server. */
export function JoinPage() {
  const { say } = useLanguage();
  const [name, setName] = useState('');
  const joining = useAct({
    mutationFn: () => join(window.location.hash.slice(1), name.trim()),
    onSuccess: () => window.location.replace(consoleRoot),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    joining.mutate();
  }

  return (
    <Container size="xs" component="main" mih="100dvh" pt="20dvh">
      <form onSubmit={submit}>
        <Stack>
          <Title order={1}>{say('join.title')}</Title>
          <Text>{say('join.text')}</Text>
          <TextInput
            label={say('passkeys.name')}
            description={say('passkeys.nameHint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={60}
            required
          />
          {joining.error && <ProblemBox problem={joining.error} />}
          <Button type="submit" size="md" loading={joining.isPending || joining.isSuccess}>
            {say('join.button')}
          </Button>
        </Stack>
      </form>
    </Container>
  );
}
