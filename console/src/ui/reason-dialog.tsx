import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemBox } from './problem-box.tsx';
import { mustProve, ProveAgain } from './prove-again.tsx';

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
  /** Where something else than a reason is asked for. */
  field?: { label: string; hint: string; most: number };
}

const key = (draft: string) => `draft ${draft}`;

/** Asks why, before something that hurts is done. */
export function ReasonDialog({ title, text, action, close, cancel = close, draft, act, field, children }: Props) {
  const { say } = useLanguage();
  const { label, hint, most } = field ?? { label: say('payment.reason'), hint: say('payment.reasonHint'), most: 500 };
  const [reason, setReason] = useState(() => sessionStorage.getItem(key(draft)) ?? '');
  const [problem, setProblem] = useState<unknown>(null);
  const [isActing, setActing] = useState(false);

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
            label={label}
            description={hint}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            minLength={3}
            maxLength={most}
            autosize
            minRows={2}
            required
            data-autofocus={children ? undefined : true}
          />
          {problem !== null && !mustProve(problem) && <ProblemBox problem={problem} />}
          {mustProve(problem) ? (
            <ProveAgain proved={() => setProblem(null)} />
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
