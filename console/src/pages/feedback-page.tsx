import { Anchor, Stack, Text, Title } from '@mantine/core';
import { feedbackLists } from '@portal/domain/feedback.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { PagedRows } from '../ui/paged-rows.tsx';

/** Visitors' feedback, newest first. The chosen list is in the URL. */
export function FeedbackPage() {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const nameOf = useLanguageName();
  const [search] = useSearchParams();
  const list = feedbackLists.find((one) => one === search.get('list')) ?? 'open';
  const found = useInfiniteQuery({
    queryKey: ['feedback', list],
    queryFn: ({ pageParam }) => call('feedback', { list, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
  });
  return (
    <Stack>
      <Title order={1}>{say('feedback.title')}</Title>
      <Text>{say('feedback.text')}</Text>
      <ChoiceLinks
        label={say('feedback.lists')}
        choices={feedbackLists.map((one) => ({
          href: `/feedback?list=${one}`,
          label: say(`feedback.${one}`),
          isChosen: one === list,
        }))}
      />
      <PagedRows
        query={found}
        label={say('feedback.title')}
        none={say(`feedback.none.${list}`)}
        rows={found.data?.pages.flatMap(({ entries }) => entries) ?? []}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'col.when',
            cell: ({ id, createdAt }) => (
              <Anchor component={Link} href={`/feedback/${id}`}>
                {time(createdAt)}
              </Anchor>
            ),
          },
          { title: 'feedback.form', cell: ({ form }) => sayOr(`form.${form}`) },
          { title: 'feedback.about', cell: ({ topic }) => (topic ? sayOr(`topic.${topic}`) : '') },
          { title: 'col.begins', cell: ({ beginning }) => beginning },
          {
            title: 'feedback.answer',
            cell: ({ wantsAnswer }) => say(wantsAnswer ? 'feedback.byMail' : 'feedback.noAnswer'),
          },
          { title: 'feedback.language', cell: ({ language }) => nameOf(language) },
          ...(list === 'done' ? [{ title: 'feedback.doneBy', cell: doneBy } as const] : []),
        ]}
      />
    </Stack>
  );
}

const doneBy = ({ done }: { done: { by: string } | null }) => done?.by ?? '';
