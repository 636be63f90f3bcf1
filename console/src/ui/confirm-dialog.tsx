import { Button, type ModalProps, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct } from '../lib/use-act.ts';
import { Dialog } from './dialog.tsx';
import { ProblemBox } from './problem-box.tsx';
import { ActButtons, mustProve } from './prove-again.tsx';

interface Props {
  title: string;
  /** What to look at twice, before anything else. */
  warning?: ReactNode;
  text: string;
  action: string;
  close: () => void;
  act: () => Promise<unknown>;
  settled?: () => Promise<unknown>;
  /** The figures to confirm. */
  children?: ReactNode;
  size?: ModalProps['size'] | undefined;
}

/** Repeats what will happen before it is done. */
export function ConfirmDialog({ title, warning, text, action, close, act, settled, children, size }: Props) {
  const acting = useAct({
    mutationFn: act,
    async onSuccess() {
      await settled?.();
      close();
    },
    onError: () => settled?.(),
  });
  return (
    <Dialog title={title} close={close} size={size} isBusy={acting.isPending}>
      <Stack>
        {warning}
        <Text>{text}</Text>
        {children}
        {acting.error && !mustProve(acting.error) && <ProblemBox problem={acting.error} />}
        <ActButtons
          problem={acting.error}
          isActing={acting.isPending}
          proved={acting.reset}
          cancel={close}
          isCancelFirst
        >
          <Button onClick={() => acting.mutate()} loading={acting.isPending}>
            {action}
          </Button>
        </ActButtons>
      </Stack>
    </Dialog>
  );
}
