import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { ProblemBox } from './problem-box.tsx';

/** Shows loaded data, a skeleton while loading, or the error. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const { say } = useLanguage();
  if (query.error && query.data === undefined)
    return <ProblemBox problem={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Stack role="status" aria-label={say('app.loading')}>
        <Skeleton h={24} />
        <Skeleton h={24} />
        <Skeleton h={24} />
      </Stack>
    );
  return (
    <>
      {query.error && <ProblemBox problem={query.error} retry={() => void query.refetch()} />}
      {children(query.data)}
    </>
  );
}
