import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemBox } from './problem-box.tsx';
import { ProveButton } from './prove-button.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  /** After it was done, and where nothing else is said, when it is not done at all. */
  close: () => void;
  cancel?: () => void;
  /** What was begun here is still there after the person has shown once more who they are. */
  draft: string;
  act: (reason: string) => Promise<unknown>;
  /** What else is asked, before the reason. */
  children?: ReactNode;
}

const key = (draft: string) => `draft ${draft}`;

/** Asks why, before something that hurts is done. */
export function ReasonDialog({ title, text, action, close, cancel = close, draft, act, children }: Props) {
  const { say } = useLanguage();
  const [reason, setReason] = useState(() => sessionStorage.getItem(key(draft)) ?? '');
  const [problem, setProblem] = useState<unknown>(null);
  const [isActing, setActing] = useState(false);
  const mustProve = problem instanceof Problem && problem.code === 'proveAgain';

  async function submit(event: FormEvent) {
    event.preventDefault();
    setActing(true);
    setProblem(null);
    try {
      await act(reason.trim());
      sessionStorage.removeItem(key(draft));
      setReason('');
      close();
    } catch (error) {
      setProblem(error);
      sessionStorage.setItem(key(draft), reason);
    } finally {
      setActing(false);
    }
  }

  return (
    <Dialog title={title} close={cancel}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{text}</Text>
          {children}
          <Textarea
            label={say('payment.reason')}
            description={say('payment.reasonHint')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            minLength={3}
            maxLength={500}
            autosize
            minRows={2}
            required
            data-autofocus={children ? undefined : true}
          />
          {problem !== null && !mustProve && <ProblemBox problem={problem} />}
          {mustProve ? (
            <Stack role="alert">
              <Text>{say('payment.prove')}</Text>
              <ProveButton proved={() => setProblem(null)} />
            </Stack>
          ) : (
            <Group justify="flex-end">
              <Button variant="default" onClick={cancel}>
                {say('app.cancel')}
              </Button>
              <Button type="submit" loading={isActing}>
                {action}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}
