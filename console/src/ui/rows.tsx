import { Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { useLanguage } from '../lib/language.tsx';
import type { TextKey } from '../texts/en.ts';

export interface Column<Row> {
  title: TextKey;
  /** Where it is named by something that is no text of ours: a language, a day. */
  name?: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

/** A table; on a phone a list of cards. j and k go from row to row, Enter opens the link of a row. */
export function Rows<Row>({ label, rows, columns, keyOf }: Props<Row>) {
  const { say } = useLanguage();
  const body = useRef<HTMLTableSectionElement>(null);

  function move(by: number) {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('tr a[href], tr button') ?? [])].filter(
      (link, index, all) => all.findIndex((other) => other.closest('tr') === link.closest('tr')) === index,
    );
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
    const next = links[Math.min(Math.max(at + by, 0), links.length - 1)];
    next?.focus();
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ]);

  return (
    <Table className="rows" aria-label={label} highlightOnHover verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ title, name, isNumber }) => (
            <Table.Th key={name ?? title} ta={isNumber ? 'end' : undefined}>
              {name ?? say(title)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ title, name, cell, isNumber }) => (
              <Table.Td key={name ?? title} data-label={name ?? say(title)} ta={isNumber ? 'end' : undefined}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
