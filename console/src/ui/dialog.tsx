import { Alert, Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { keepFocus, pageContent } from '../lib/focus.ts';
import { useLanguage } from '../lib/language.tsx';

/**
 * A dialog labelled by its title. Escape and a click outside close it. Once something was typed, they first ask whether
 * to discard it, and a second press only withdraws that question, so that a key pressed twice discards nothing. The
 * library's own header is not used, because it would be a second banner landmark.
 */
export function Dialog({
  title,
  close,
  size = 'md',
  isBusy = false,
  children,
}: {
  title: string;
  close: () => void;
  /** While something is being done: closing would not undo it. */
  isBusy?: boolean;
  size?: ModalProps['size'] | undefined;
  children: ReactNode;
}) {
  const { say } = useLanguage();
  const [isTouched, setTouched] = useState(false);
  const [isAsking, setAsking] = useState(false);
  function leave() {
    if (isBusy) return;
    if (isTouched) setAsking(!isAsking);
    else close();
  }
  /** Has the focus again after the question. */
  const left = useRef<HTMLElement | null>(null);
  const remember = ({ target }: FocusEvent<HTMLElement>) => {
    if (!isAsking) left.current = target;
  };
  /** Has the focus again once the dialog is closed. */
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => keepFocus(opener, pageContent()), [opener]);
  useEffect(() => {
    if (!isAsking) left.current?.focus();
  }, [isAsking]);
  return (
    <Modal.Root opened onClose={leave} size={size ?? 'md'}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md" onInput={() => setTouched(true)} onFocus={remember}>
          <Modal.Title fz="lg" fw={650} mb="sm">
            {title}
          </Modal.Title>
          {isAsking && (
            <Alert role="alert" color="yellow" variant="light" mb="sm" title={say('app.discardTitle')}>
              <Group>
                <Button size="xs" variant="default" onClick={() => setAsking(false)} autoFocus>
                  {say('app.goOn')}
                </Button>
                <Button size="xs" color="red" onClick={close}>
                  {say('app.discard')}
                </Button>
              </Group>
            </Alert>
          )}
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
