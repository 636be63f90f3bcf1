import { Alert, Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type FocusEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { keepFocus, pageContent } from '../lib/focus.ts';
import { useLanguage } from '../lib/language.tsx';
import { useUnsaved } from '../lib/unsaved.ts';

/**
 * Ignores the second click of the double click that opened a dialog: it would press what appeared under the pointer, or
 * close the dialog. Returns a function that stops this.
 */
function takeNoSecondClick(): () => void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  for (const kind of ['mousedown', 'mouseup', 'click'] as const)
    window.addEventListener(
      kind,
      (event) => {
        if (event.detail <= 1) return stop.abort();
        event.preventDefault();
        event.stopPropagation();
      },
      options,
    );
  return () => stop.abort();
}

/**
 * A dialog labelled by its title. Escape and a click outside close it. Once something was changed, they first ask
 * whether to discard it, as do Back, a reload and a link, and a second press only withdraws that question, so that a key
 * pressed twice discards nothing. The library's own header is not used, because it would be a second banner landmark.
 */
export function Dialog({
  title,
  close,
  size = 'md',
  isBusy = false,
  isChanged = false,
  children,
}: {
  title: string;
  close: () => void;
  /** While something is being done: closing would not undo it. */
  isBusy?: boolean;
  /** Whether its form was changed otherwise than by typing, as on a map. */
  isChanged?: boolean;
  size?: ModalProps['size'] | undefined;
  children: ReactNode;
}) {
  const { say } = useLanguage();
  const [isTyped, setTyped] = useState(false);
  const isTouched = isTyped || isChanged;
  const [isAsking, setAsking] = useState(false);
  // What is being done may itself lead to another page.
  useUnsaved(isTouched && !isBusy, say('app.discardTitle'), 'dialog');
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
  useLayoutEffect(takeNoSecondClick, []);
  useEffect(() => {
    if (!isAsking) left.current?.focus();
  }, [isAsking]);
  return (
    <Modal.Root opened onClose={leave} size={size ?? 'md'}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md" onInput={() => setTyped(true)} onFocus={remember}>
          <Modal.Title fz="lg" fw={650} mb="sm">
            {title}
          </Modal.Title>
          {isAsking && (
            // Its corners are round; the ring of a focused button must not be cut by them.
            <Alert
              role="alert"
              color="yellow"
              variant="light"
              mb="sm"
              title={say('app.discardTitle')}
              style={{ overflow: 'visible' }}
              styles={{
                wrapper: { overflow: 'visible' },
                body: { overflow: 'visible' },
                message: { overflow: 'visible' },
              }}
            >
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
