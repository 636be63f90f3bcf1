import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import { fromWall, toWall } from '@portal/domain/zoned-time.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMe } from '../lib/use-me.ts';
import { placeOf } from '../lib/zone-place.ts';
import { PageSection } from '../ui/page-section.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { LanguageTexts } from './language-texts.tsx';
import { ProposalLink } from './proposal-link.tsx';

interface Props {
  subject: ConsoleInput<'announce'>['subject'];
  said: ConsoleResult<'ways'>['banner'];
  /** A pending proposal. */
  proposal?: string | null;
  takesTwo?: boolean;
}

/** The banner, or planned maintenance: the current text, and a form to change it. */
export function Announcement({ subject, said, proposal = null, takesTwo = false }: Props) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const nameOf = useLanguageName();
  const [dialog, setDialog] = useState<'set' | 'takeBack' | null>(null);
  const { now, startsAt, endsAt, texts, changed } = said;
  const isSaid = now !== 'nothing';
  return (
    <PageSection title={`${subject}.title`}>
      <Stack gap="xs">
        <Text role="status" fw={600}>
          {say(`${subject}.${now}`)}
        </Text>
        {isSaid && (startsAt || endsAt) && (
          <Text>
            {[
              startsAt && say('ways.from', { time: time(startsAt) }),
              endsAt && say('ways.until', { time: time(endsAt) }),
            ]
              .filter(Boolean)
              .join(' ')}
          </Text>
        )}
        {isSaid &&
          Object.entries(texts).map(([locale, text]) => (
            <Text key={locale}>
              {say('app.named', { name: nameOf(locale) })} <span lang={locale}>{text}</span>
            </Text>
          ))}
        {isSaid && changed && (
          <Text size="sm" c="dimmed">
            {say('ways.changedBy', {
              time: time(changed.at),
              person: [changed.proposedBy, changed.by].filter(Boolean).join(', '),
            })}
          </Text>
        )}
        <Group>
          {proposal ? (
            <ProposalLink id={proposal} />
          ) : (
            <Button variant="default" onClick={() => setDialog('set')}>
              {say(`${subject}.${isSaid ? 'change' : 'set'}`)}
            </Button>
          )}
          {isSaid && (
            <Button variant="default" onClick={() => setDialog('takeBack')}>
              {say(`${subject}.takeBack`)}
            </Button>
          )}
        </Group>
      </Stack>
      {dialog === 'set' && (
        <SetDialog subject={subject} said={said} takesTwo={takesTwo} close={() => setDialog(null)} />
      )}
      {dialog === 'takeBack' && <TakeBackDialog subject={subject} said={said} close={() => setDialog(null)} />}
    </PageSection>
  );
}

function useAnnounce() {
  const { say } = useLanguage();
  const queries = useQueryClient();
  return async (input: ConsoleInput<'announce'>) => {
    const { proposal } = await call('announce', input).finally(() => queries.invalidateQueries({ queryKey: ['ways'] }));
    notifications.show({ message: say(proposal ? 'ways.proposed' : 'people.done') });
  };
}

function SetDialog({ subject, said, takesTwo, close }: Props & { close: () => void }) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const announce = useAnnounce();
  const wall = (iso: string | null) => (iso && said.now !== 'nothing' ? toWall(iso, timeZone) : '');
  const [texts, setTexts] = useState(said.texts);
  const [from, setFrom] = useState(wall(said.startsAt));
  const [until, setUntil] = useState(wall(said.endsAt));
  const isPlanned = subject === 'maintenance';
  const isOver = until !== '' && until <= (from || toWall(new Date().toISOString(), timeZone));
  return (
    <ReasonDialog
      title={say(`${subject}.title`)}
      text={say(isPlanned && takesTwo ? 'maintenance.textOfTwo' : `${subject}.text`)}
      action={say(takesTwo ? 'ways.propose' : `${subject}.set`)}
      close={close}
      draft={subject}
      fields={['startsAt', 'endsAt']}
      act={(reason) =>
        announce({
          subject,
          isOn: true,
          texts,
          startsAt: fromWall(from, timeZone),
          endsAt: fromWall(until, timeZone),
          version: said.version,
          reason,
        })
      }
    >
      {(wrong) => (
        <>
          <TextInput
            type="datetime-local"
            label={say('ways.fromLabel')}
            description={say('ways.zone', { zone: placeOf(timeZone) })}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            required={isPlanned}
            error={wrong('startsAt')}
          />
          <TextInput
            type="datetime-local"
            label={say('ways.untilLabel')}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
            required={isPlanned}
            error={wrong('endsAt') ?? (isOver ? say('ways.wrongEnd') : undefined)}
          />
          <LanguageTexts
            label={isPlanned ? 'maintenance.more' : 'banner.words'}
            texts={texts}
            change={setTexts}
            isRequired={!isPlanned}
          />
        </>
      )}
    </ReasonDialog>
  );
}

function TakeBackDialog({ subject, said, close }: Props & { close: () => void }) {
  const { say } = useLanguage();
  const announce = useAnnounce();
  const { texts, startsAt, endsAt, version } = said;
  return (
    <ReasonDialog
      title={say(`${subject}.takeBack`)}
      text={say(`${subject}.takeBackText`)}
      action={say(`${subject}.takeBack`)}
      close={close}
      draft={`take back ${subject}`}
      act={(reason) => announce({ subject, isOn: false, texts, startsAt, endsAt, version, reason })}
    />
  );
}
