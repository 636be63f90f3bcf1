import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { type ViewPage, viewFilters } from '@portal/contract/console/view-filters.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { Dialog } from './dialog.tsx';
import { ProblemBox } from './problem-box.tsx';

/** One's own named filters of a list: each is a link, and the current filter can be saved. */
export function SavedViews({ page }: { page: ViewPage }) {
  const { say } = useLanguage();
  const [search] = useSearchParams();
  const queries = useQueryClient();
  const queryKey = ['views', page];
  const views = useQuery({ queryKey, queryFn: () => call('views', { page }) });
  const [isNaming, setNaming] = useState(false);
  const settled = () => queries.invalidateQueries({ queryKey });
  const remove = useAct({ mutationFn: (id: string) => call('removeView', { id }), onSettled: settled });
  const chosen = Object.fromEntries(
    viewFilters[page].flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])),
  );
  const isSame = (filters: Record<string, string>) =>
    viewFilters[page].every((name) => (filters[name] ?? '') === (chosen[name] ?? ''));
  const save = useAct({
    mutationFn: (name: string) => call('saveView', { page, name, filters: chosen }),
    onSuccess: () => setNaming(false),
    onSettled: settled,
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save.mutate(String(new FormData(event.currentTarget).get('name') ?? ''));
  }

  return (
    <Group gap="xs" role="group" aria-label={say('views.title')}>
      {views.data?.map(({ id, name, filters }) => (
        <Group key={id} gap={2} wrap="nowrap">
          <Button
            component={Link}
            href={`/${page}?${new URLSearchParams(filters)}`}
            size="xs"
            variant={isSame(filters) ? 'filled' : 'default'}
            aria-current={isSame(filters) ? 'page' : undefined}
          >
            {name}
          </Button>
          <ActionIcon
            variant="default"
            aria-label={say('views.remove', { name })}
            loading={remove.isPending}
            onClick={() => remove.mutate(id)}
          >
            ×
          </ActionIcon>
        </Group>
      ))}
      {Object.keys(chosen).length > 0 && (
        <Button size="xs" variant="subtle" onClick={() => setNaming(true)}>
          {say('views.save')}
        </Button>
      )}
      {remove.error && <ProblemBox problem={remove.error} />}
      {isNaming && (
        <Dialog title={say('views.save')} close={() => setNaming(false)}>
          <form onSubmit={submit}>
            <TextInput name="name" label={say('col.name')} maxLength={60} required data-autofocus mb="md" />
            {save.error && <ProblemBox problem={save.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setNaming(false)}>
                {say('app.cancel')}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {say('views.keep')}
              </Button>
            </Group>
          </form>
        </Dialog>
      )}
    </Group>
  );
}
