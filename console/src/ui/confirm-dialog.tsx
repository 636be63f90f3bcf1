import { Button, Group, type ModalProps, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemBox } from './problem-box.tsx';
import { mustProve, ProveAgain } from './prove-again.tsx';

interface Props {
  title: string;
  /** What to look at twice, before anything else. */
  warning?: ReactNode;
  text: string;
  action: string;
  close: () => void;
  act: () => Promise<unknown>;
  settled: () => Promise<unknown>;
  /** The figures to confirm. */
  children?: ReactNode;
  size?: ModalProps['size'] | undefined;
}

/** Repeats what will happen before it is done. */
export function ConfirmDialog({ title, warning, text, action, close, act, settled, children, size }: Props) {
  const { say } = useLanguage();
  const acting = useMutation({ mutationFn: act, onSuccess: close, onSettled: settled });
  return (
    <Dialog title={title} close={close} size={size} isBusy={acting.isPending}>
      <Stack>
        {warning}
        <Text>{text}</Text>
        {children}
        {acting.error && !mustProve(acting.error) && <ProblemBox problem={acting.error} />}
        {mustProve(acting.error) ? (
          <ProveAgain proved={acting.reset} cancel={close} />
        ) : (
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={acting.isPending}>
              {say('app.cancel')}
            </Button>
            <Button data-autofocus onClick={() => acting.mutate()} loading={acting.isPending}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}
