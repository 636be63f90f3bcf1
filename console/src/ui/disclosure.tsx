import { Box, Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

interface Props {
  label: ReactNode;
  /** What stands beside it: more to do with what it holds. */
  beside?: ReactNode;
  children: () => ReactNode;
  isOpenFirst?: boolean;
}

/** Shows what it holds once it is opened; until then it is not even made. */
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
