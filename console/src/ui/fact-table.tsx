import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { wrapped } from './wrapped.tsx';

/** Names and values; rows without a value are left out. */
export function FactTable({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Table variant="vertical">
      <Table.Tbody>
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={{ base: '34%', sm: '40%' }}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{wrapped(value)}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
