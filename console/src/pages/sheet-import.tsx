import { Checkbox, FileInput } from '@mantine/core';
import { sheetFileBytes } from '@portal/contract/console/sheet-limits.ts';
import { fromWall } from '@portal/domain/zoned-time.ts';
import { useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { useMe } from '../lib/use-me.ts';
import { type Sheet, SheetDialog } from './sheet-dialog.tsx';
import { TimeField, useStartFault } from './sheet-form.tsx';

/** A file, a preview of its changes, and a proposal of exactly these. */
export function SheetImport({ sheet, close }: { sheet: Sheet; close: () => void }) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const [file, setFile] = useState<File | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [from, setFrom] = useState('');
  const startFault = useStartFault();
  const isTooLarge = file !== null && file.size > sheetFileBytes;
  return (
    <SheetDialog
      title={say('sheet.file')}
      text={say('sheet.fileText')}
      sheet={sheet}
      asked={[file, isWhole, from]}
      isReady={file !== null && !isTooLarge}
      source={async () => ({
        kind: 'file',
        file: base64Of((await file?.arrayBuffer()) ?? new ArrayBuffer(0)),
        isWhole,
        from: fromWall(from, timeZone),
      })}
      close={close}
    >
      {(problems) => (
        <>
          <FileInput
            label={say('sheet.choose')}
            accept=".csv,.txt,text/csv,text/plain"
            value={file}
            onChange={setFile}
            error={isTooLarge ? say('sheet.tooLarge') : undefined}
            required
            data-autofocus
          />
          {sheet.hasTimes && <TimeField which="start" value={from} change={setFrom} error={startFault(problems)} />}
          <Checkbox
            label={say('sheet.isWhole')}
            checked={isWhole}
            onChange={(event) => setWhole(event.currentTarget.checked)}
          />
        </>
      )}
    </SheetDialog>
  );
}

function base64Of(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
