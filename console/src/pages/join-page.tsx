import { Button, Container, Stack, Text, TextInput, Title } from '@mantine/core';
import { consoleRoot } from '@portal/contract/console/calls.ts';
import { type FormEvent, useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { join } from '../lib/passkeys.ts';
import { ProblemBox } from '../ui/problem-box.tsx';

/** An invited person creates their first passkey here. The secret is behind #, which is never sent to a server. */
export function JoinPage() {
  const { say } = useLanguage();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<unknown>(null);
  const [isActing, setActing] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setActing(true);
    setProblem(null);
    try {
      await join(window.location.hash.slice(1), name.trim());
      window.location.replace(consoleRoot);
    } catch (error) {
      setProblem(error);
      setActing(false);
    }
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
          {problem !== null && <ProblemBox problem={problem} />}
          <Button type="submit" size="md" loading={isActing}>
            {say('join.button')}
          </Button>
        </Stack>
      </form>
    </Container>
  );
}
