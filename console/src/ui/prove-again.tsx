import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Problem } from '../lib/api.ts';
import { keepFocus, lastControl } from '../lib/focus.ts';
import { useLanguage } from '../lib/language.tsx';
import { ProveButton } from './prove-button.tsx';

export const mustProve = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'proveAgain';

/** Asks for a fresh proof of identity (step-up). It has the focus, and then what had it before. */
export function ProveAgain({ proved, cancel }: { proved: () => void; cancel?: () => void }) {
  const { say } = useLanguage();
  const own = useRef<HTMLDivElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    lastControl(own.current)?.focus();
    return () => keepFocus(before);
  }, [before]);
  return (
    <Stack role="alert" ref={own}>
      <Text>{say('problem.proveAgain')}</Text>
      <Group justify="flex-end">
        {cancel && (
          <Button variant="default" onClick={cancel}>
            {say('app.cancel')}
          </Button>
        )}
        <ProveButton proved={proved} />
      </Group>
    </Stack>
  );
}

interface Props {
  problem: unknown;
  isActing: boolean;
  proved: () => void;
  cancel: () => void;
  /** Cancel has the focus, so that Enter pressed twice does not act. */
  isCancelFirst?: boolean;
  /** The button that acts. */
  children: ReactNode;
}

/**
 * Cancel and the button that acts, or the request for a fresh proof where the act needs one. A button that is disabled
 * or replaced loses the focus; here it stays in the dialog.
 */
export function ActButtons({ problem, isActing, proved, cancel, isCancelFirst, children }: Props) {
  const { say } = useLanguage();
  const own = useRef<HTMLDivElement>(null);
  const isAsked = mustProve(problem);
  useEffect(() => {
    if (!isActing && !isAsked) keepFocus(lastControl(own.current));
  }, [isActing, isAsked]);
  if (isAsked) return <ProveAgain proved={proved} cancel={cancel} />;
  return (
    <Group justify="flex-end" ref={own}>
      <Button variant="default" onClick={cancel} disabled={isActing} data-autofocus={isCancelFirst || undefined}>
        {say('app.cancel')}
      </Button>
      {children}
    </Group>
  );
}
