import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import type { TextKey } from '../texts/en.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export interface Export {
  name: string;
  label: TextKey;
  text: TextKey;
  download: (reason: string) => Promise<unknown>;
}

/** A button per table that can be exported; each asks for the purpose. */
export function Exports({ exports }: { exports: readonly Export[] }): ReactNode {
  const { say } = useLanguage();
  const [asked, setAsked] = useState<Export | null>(null);
  return (
    <>
      {exports.map((one) => (
        <Button key={one.name} variant="default" onClick={() => setAsked(one)}>
          {say(one.label)}
        </Button>
      ))}
      {asked && (
        <ReasonDialog
          title={say('leads.exportTitle')}
          text={say(asked.text)}
          action={say(asked.label)}
          close={() => setAsked(null)}
          draft={asked.name}
          act={asked.download}
        />
      )}
    </>
  );
}
