import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay } from '../lib/use-me.ts';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MaskedValue } from '../ui/masked-value.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { wrapped } from '../ui/wrapped.tsx';

type Entry = ConsoleResult<'feedbackEntry'>;

/** One visitor's feedback. */
export function FeedbackEntryPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { sayOr } = useLanguage();
  const may = useMay();
  const entry = useQuery({ queryKey: ['feedbackEntry', id], queryFn: () => call('feedbackEntry', { id }) });
  return (
    <Loaded query={entry}>
      {(loaded) => (
        <Stack>
          <Title order={1}>{sayOr(loaded.topic ? `topic.${loaded.topic}` : `form.${loaded.form}`)}</Title>
          <Words entry={loaded} />
          {may('feedback.work') && <Mark entry={loaded} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Words({ entry }: { entry: Entry }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const nameOf = useLanguageName();
  const { id, email, fields, done } = entry;
  const hidden = (field: string, masked: string) => (
    <MaskedValue
      masked={masked}
      permission="feedback.reveal"
      draft={id}
      reveal={(reason) => call('revealFeedback', { id, field, reason })}
    />
  );
  return (
    <PageSection title="feedback.words">
      <FactTable
        rows={[
          [say('col.when'), time(entry.createdAt)],
          [say('feedback.form'), sayOr(`form.${entry.form}`)],
          [say('feedback.language'), nameOf(entry.language)],
          ...fields.map(
            ({ name, value, isMasked }) =>
              [
                sayOr(`field.${name}`),
                isMasked ? hidden(name, value) : <Text key={name}>{wrapped(value)}</Text>,
              ] as const,
          ),
          [say('payment.email'), email && hidden('email', email)],
          [say('feedback.doneBy'), done && `${done.by} · ${time(done.at)}`],
        ]}
      />
      {entry.wantsAnswer && !done && (
        <Text fw={600} mt="sm">
          {say('feedback.answerIt')}
        </Text>
      )}
    </PageSection>
  );
}

function Mark({ entry: { id, done } }: { entry: Entry }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['feedbackEntry', id] });
  const marking = useAct({
    mutationFn: () => call('markFeedback', { id, isDone: !done }),
    onSuccess: async () => {
      await reload();
      notifications.show({ message: say('people.done') });
    },
    onError: () => void reload(),
  });
  return (
    <Stack>
      {marking.error && <ProblemBox problem={marking.error} />}
      <Group>
        <Button variant={done ? 'default' : 'filled'} onClick={() => marking.mutate()} loading={marking.isPending}>
          {say(done ? 'feedback.reopen' : 'feedback.mark')}
        </Button>
      </Group>
    </Stack>
  );
}
