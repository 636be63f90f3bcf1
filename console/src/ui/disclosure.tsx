import { Box, Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

interface Props {
  label: ReactNode;
  /** Shown beside the summary: further actions for the content. */
  beside?: ReactNode;
  children: () => ReactNode;
  isOpenFirst?: boolean;
}

/** Renders its content only once it is opened. */
export function Disclosure({ label, beside, children, isOpenFirst = false }: Props) {
  const [isOpen, setOpen] = useState(isOpenFirst);
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
