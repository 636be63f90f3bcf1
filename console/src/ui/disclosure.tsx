import { Box, Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

interface Props {
  label: ReactNode;
  /** Shown beside the summary: further actions for the content. */
  beside?: ReactNode;
  children: () => ReactNode;
  isOpenFirst?: boolean;
  /** Who renders it may keep whether it is open. */
  opened?: { is: boolean; set: (isOpen: boolean) => void };
}

/** Renders its content only once it is opened. */
export function Disclosure({ label, beside, children, isOpenFirst = false, opened }: Props) {
  const [isOpenHere, setOpenHere] = useState(isOpenFirst);
  const { is: isOpen, set: setOpen } = opened ?? { is: isOpenHere, set: setOpenHere };
  const id = useId();
  return (
    <Box>
      <Box className="disclosure">
        <Button
          variant="subtle"
          color="gray"
          c="inherit"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
          leftSection={<span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' }, inner: { justifyContent: 'flex-start' } }}
          h="auto"
          py={6}
          px="xs"
        >
          {label}
        </Button>
        {beside}
      </Box>
      {isOpen && (
        <Box id={id} pl="sm" py="xs">
          {children()}
        </Box>
      )}
    </Box>
  );
}
