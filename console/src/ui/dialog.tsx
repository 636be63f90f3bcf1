import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A dialog named by its title; Escape and what lies around it close it. The library's own header would be a second banner. */
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
  return (
    <Modal.Root opened onClose={close} size={size ?? 'md'}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Modal.Title fz="lg" fw={650} mb="sm">
            {title}
          </Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
