import { Checkbox, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { fromWall, toWall } from '@portal/domain/zoned-time.ts';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { type Package, type PackagePage, useReloadContent } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import type { Body } from '../lib/package-tree.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMay, useMe } from '../lib/use-me.ts';
import { placeOf } from '../lib/zone-place.ts';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { ContentFaults } from './content-faults.tsx';

/** Asks for languages and time; proposes the publication, or publishes if no approval is needed. */
export function PublishDialog({ found, close }: { found: Package; close: () => void }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const may = useMay();
  const reload = useReloadContent();
  const { timeZone } = useMe().operator;
  const fresh = found.pages.filter(({ working, shown }) => working !== shown.version);
  const [chosen, setChosen] = useState(() => fresh.map(({ page }) => page));
  const [from, setFrom] = useState('');
  const isPast = from !== '' && from <= toWall(new Date().toISOString(), timeZone);
  const isAlone = !found.takesTwo && may('content.publish');
  return (
    <ReasonDialog
      title={say('content.publishTitle')}
      text={say(isAlone ? 'content.publishAlone' : 'content.publishText')}
      action={say(isAlone ? 'content.publishNow' : 'propose.button')}
      close={close}
      draft={`publish ${found.name}`}
      fields={['at']}
      about={(problem) => (
        <ContentFaults
          problem={problem}
          pages={found.pages.map(({ body, ...page }) => ({ ...page, body: body as Body }))}
        />
      )}
      act={async (reason) => {
        const items = fresh
          .filter(({ page }) => chosen.includes(page))
          .map(({ page, working, shown }) => ({ page, version: working, shown: shown.version }));
        const at = fromWall(from, timeZone);
        const { isDone } = await call('publishContent', { name: found.name, items, at, reason }).finally(reload);
        notifications.show({ message: say(isDone ? 'content.published' : 'propose.done') });
      }}
    >
      {(wrong) => (
        <>
          <Checkbox.Group label={say('content.which')} value={chosen} onChange={setChosen} required>
            {fresh.map(({ page, locale, working }) => (
              <Checkbox
                key={page}
                value={page}
                mt="xs"
                label={`${locale ? nameOf(locale) : say('content.allLanguages')} · ${say('content.version', { version: working })}`}
              />
            ))}
          </Checkbox.Group>
          <TextInput
            type="datetime-local"
            label={say('content.from')}
            description={`${say('content.fromHint')} ${say('ways.zone', { zone: placeOf(timeZone) })}`}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            error={isPast ? say('content.past') : wrong('at')}
          />
        </>
      )}
    </ReasonDialog>
  );
}

export function TakeBackDialog({ page, close }: { page: PackagePage; close: () => void }) {
  const { say } = useLanguage();
  const reload = useReloadContent();
  const id = page.plan?.id ?? '';
  return (
    <ReasonDialog
      title={say('content.takeBackTitle')}
      text={say('content.takeBackText')}
      action={say('content.takeBack')}
      close={close}
      draft={`take back ${id}`}
      act={async (reason) => {
        await call('takeBackContent', { id, reason }).finally(reload);
        notifications.show({ message: say('people.done') });
      }}
    />
  );
}
