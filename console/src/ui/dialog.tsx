import { Alert, Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLanguage } from '../lib/language.tsx';

/**
 * A dialog labelled by its title; Escape and a click outside close it, after a question when something was typed. The
 * library's own header would be a second banner landmark.
 */
export function Dialog({
  title,
  close,
  size = 'md',
  children,
}: {
  title: string;
  close: () => void;
  size?: ModalProps['size'];
  children: ReactNode;
}) {
  const { say } = useLanguage();
  const [isTouched, setTouched] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const leave = () => (isTouched && !isAsking ? setAsking(true) : close());
  return (
    <Modal.Root opened onClose={leave} size={size ?? 'md'}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md" onInput={() => setTouched(true)}>
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
