import { Button, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useLanguage } from '../lib/language.tsx';
import { ProblemBox } from './problem-box.tsx';
import { type Column, Rows } from './rows.tsx';

interface Props<Row> {
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'isPending' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
  >;
  label: string;
  none: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

/** A paged list: loading, empty, failed, or its rows with a button for more. */
export function PagedRows<Row>({ query, label, none, rows, columns, keyOf }: Props<Row>) {
  const { say } = useLanguage();
  return (
    <>
      {query.error && <ProblemBox problem={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Text role="status">{say('app.loading')}</Text>}
      {!query.isPending && !query.error && rows.length === 0 && <Text role="status">{none}</Text>}
      {rows.length > 0 && <Rows label={label} rows={rows} columns={columns} keyOf={keyOf} />}
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
    </>
  );
}
