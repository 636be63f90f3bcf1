import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { Dialog } from './dialog.tsx';
import { LongText } from './long-text.tsx';
import { ProblemBox, problemWords } from './problem-box.tsx';
import { ActButtons, mustProve } from './prove-again.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  /** Closes the dialog: after the act, and on cancel unless `cancel` is given. */
  close: () => void;
  cancel?: () => void;
  /** Name of the draft, which is kept while the person proves again who they are. */
  draft: string;
  act: (reason: string) => Promise<unknown>;
  /** Further fields before the reason; `wrong` gives the error of a field. */
  children?: ReactNode | ((wrong: (field: string) => string | undefined) => ReactNode);
  /** Fields of `children` that show their own errors. */
  fields?: readonly string[];
  /** More about what went wrong, such as each of its places. */
  about?: (problem: unknown) => ReactNode;
  /** Label, where the text is not a reason. */
  field?: { label: string; hint: string; most: number };
}

const key = (draft: string) => `draft ${draft}`;

/** Asks for a reason before an act with consequences. */
export function ReasonDialog({
  title,
  text,
  action,
  close,
  cancel = close,
  draft,
  act,
  field,
  fields = [],
  about,
  children,
}: Props) {
  const language = useLanguage();
  const { say } = language;
  const { label, hint, most } = field ?? { label: say('payment.reason'), hint: say('payment.reasonHint'), most: 500 };
  const [reason, setReason] = useState(() => sessionStorage.getItem(key(draft)) ?? '');
  const acting = useAct({
    mutationFn: () => act(reason.trim()),
    onSuccess() {
      sessionStorage.removeItem(key(draft));
      setReason('');
      close();
    },
    onError: () => sessionStorage.setItem(key(draft), reason),
  });
  const { error: problem, isPending: isActing } = acting;

  const at = problem instanceof Problem && fields.includes(problem.field ?? '') ? problem.field : undefined;
  const wrong = (name: string) => (name === at ? problemWords(language, problem) : undefined);

  function submit(event: FormEvent) {
    event.preventDefault();
    acting.mutate();
  }

  return (
    <Dialog title={title} close={cancel} isBusy={isActing}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{text}</Text>
          {typeof children === 'function' ? children(wrong) : children}
          <LongText
            label={label}
            description={hint}
            value={reason}
            change={setReason}
            minLength={3}
            most={most}
            autosize
            minRows={2}
            required
            data-autofocus={children ? undefined : true}
          />
          {problem !== null && !at && !mustProve(problem) && (
            <ProblemBox problem={problem}>{about?.(problem)}</ProblemBox>
          )}
          <ActButtons problem={problem} isActing={isActing} proved={acting.reset} cancel={cancel}>
            <Button type="submit" loading={isActing}>
              {action}
            </Button>
          </ActButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
