import { Button, Group, Stack, Text } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { SheetName, SheetProblem, SheetSource } from '@portal/contract/console/sheets.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { SheetProposal } from './sheet-proposal.tsx';

type Listed = ConsoleResult<'sheet'>;
export type SheetRow = Listed['rows'][number];
export type Sheet = Pick<Listed, 'columns' | 'hasTimes'> & { name: SheetName };

interface Props {
  title: string;
  text?: string;
  sheet: Sheet;
  /** The request; when it changes, an earlier preview is discarded. */
  asked: readonly unknown[];
  source: () => SheetSource | Promise<SheetSource>;
  isReady?: boolean;
  close: () => void;
  /** The fields, which show their own errors. */
  children: (problems: readonly SheetProblem[]) => ReactNode;
}

/** Asks for a change, previews it, and proposes exactly that. */
export function SheetDialog({ title, text, sheet, asked, source, isReady = true, close, children }: Props) {
  const { say } = useLanguage();
  const { name, columns } = sheet;
  const previewing = useAct({
    async mutationFn() {
      const made = await source();
      return { asked, source: made, preview: await call('previewSheet', { sheet: name, source: made }) };
    },
  });
  const { data } = previewing;
  const shown = data?.asked.every((one, at) => one === asked[at]) ? data : null;
  const [first] = useState(asked);
  const form = useRef<HTMLFormElement>(null);
  const result = useRef<HTMLDivElement>(null);
  // Scrolls to the first invalid field, or to the preview.
  useEffect(() => {
    if (data) (form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? result.current)?.focus();
  }, [data]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) previewing.mutate();
  };
  return (
    <Dialog title={title} close={close} size="xl" isChanged={asked.some((one, at) => one !== first[at])}>
      <Stack>
        {text && <Text>{text}</Text>}
        <form ref={form} onSubmit={submit} noValidate>
          <Stack>
            {children(shown?.preview.problems ?? [])}
            {previewing.error && <ProblemBox problem={previewing.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {say('app.cancel')}
              </Button>
              <Button
                type="submit"
                variant={shown ? 'default' : 'filled'}
                loading={previewing.isPending}
                disabled={!isReady}
              >
                {say('sheet.check')}
              </Button>
            </Group>
          </Stack>
        </form>
        <div ref={result} tabIndex={-1}>
          {shown && (
            <SheetProposal
              key={shown.preview.digest}
              sheet={name}
              columns={columns}
              source={shown.source}
              preview={shown.preview}
              done={close}
            />
          )}
        </div>
      </Stack>
    </Dialog>
  );
}
