import { Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useLanguage } from '../lib/language.tsx';
import type { TextKey } from '../texts/en.ts';
import { wrapped } from './wrapped.tsx';

export interface Column<Row> {
  title: TextKey;
  /** Used where the title is no text of ours: a language, a day. */
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

/** The row's main link: the only content of its cell. */
const ownLink = ':scope > td > a[href]:only-child';

/**
 * A click anywhere in the row opens its link, with the modifier keys that were held; not while text is selected, and
 * not on other controls.
 */
function openRow(event: MouseEvent<HTMLTableRowElement>) {
  const { target, currentTarget, ctrlKey, metaKey, shiftKey } = event;
  // React events of a dialog opened from a cell bubble here, though its DOM is elsewhere.
  if (!currentTarget.contains(target as Node)) return;
  const hasOwnUse = (target as Element).closest('a, button, input, select, textarea, label, summary') !== null;
  if (hasOwnUse || event.defaultPrevented || window.getSelection()?.isCollapsed === false) return;
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  currentTarget.querySelector(ownLink)?.dispatchEvent(new globalThis.MouseEvent('click', click));
}

/**
 * A table; on a phone a list of cards. j and k move between rows, Enter opens a row's link, and so does a click
 * anywhere in the row, which is highlighted on hover.
 */
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
    <Table className="rows" aria-label={label} verticalSpacing="xs">
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
          <Table.Tr key={keyOf(row)} onClick={openRow}>
            {columns.map(({ title, name, cell, isNumber }) => (
              <Table.Td key={name ?? title} data-label={name ?? say(title)} ta={isNumber ? 'end' : undefined}>
                {wrapped(cell(row))}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
