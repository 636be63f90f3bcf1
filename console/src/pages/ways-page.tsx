import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { HealthBadge } from '../ui/health-badge.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { wrapped } from '../ui/wrapped.tsx';
import { Announcement } from './announcement.tsx';
import { LanguageTexts } from './language-texts.tsx';
import { ProposalLink } from './proposal-link.tsx';
import { RefusedNotice } from './refused-notice.tsx';

type Way = ConsoleResult<'ways'>['ways'][number];

/** The payment methods that customers are offered, and the notices they see. */
export function WaysPage() {
  const { say } = useLanguage();
  const found = useQuery({ queryKey: ['ways'], queryFn: () => call('ways'), refetchInterval: 15_000 });
  return (
    <Stack>
      <Title order={1}>{say('ways.title')}</Title>
      <Text>{say('ways.text')}</Text>
      <Loaded query={found}>
        {({ ways, banner, maintenance, takesTwo }) => (
          <Stack>
            <RefusedNotice isHere={({ kind }) => kind === 'wayOff' || kind === 'maintenance'} />
            <Ways ways={ways} takesTwo={takesTwo} />
            <Announcement
              subject="maintenance"
              said={maintenance}
              proposal={maintenance.proposal}
              takesTwo={takesTwo}
            />
            <Announcement subject="banner" said={banner} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

function Ways({ ways, takesTwo }: { ways: Way[]; takesTwo: boolean }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const wayName = useWayName();
  const [switching, setSwitching] = useState<Way | null>(null);
  return (
    <PageSection title="ways.list">
      <Text size="sm" mb="xs">
        {say('ways.counted')}
      </Text>
      <Rows
        label={say('ways.list')}
        rows={ways}
        keyOf={({ gateway }) => gateway}
        columns={[
          { title: 'col.way', cell: ({ name }) => wayName(name) },
          {
            title: 'col.state',
            cell: ({ isOff }) => (
              <Badge variant="light" color={isOff ? 'red' : 'teal'} tt="none" miw="max-content">
                {say(isOff ? 'ways.off' : 'ways.on')}
              </Badge>
            ),
          },
          { title: 'ways.lastHour', cell: ({ health }) => <HealthBadge health={health} /> },
          { title: 'col.succeeded', cell: ({ taken }) => taken, isNumber: true },
          { title: 'col.failed', cell: ({ failed }) => failed, isNumber: true },
          { title: 'col.endedByPayer', cell: ({ endedByPayer }) => endedByPayer, isNumber: true },
          { title: 'col.lastFailure', cell: ({ lastFailureAt }) => (lastFailureAt ? time(lastFailureAt) : '') },
          {
            title: 'ways.changed',
            cell: ({ changed }) =>
              changed && (
                <Text size="sm">
                  {wrapped(
                    [
                      time(changed.at),
                      changed.proposedBy
                        ? say('ways.changedByTwo', { proposer: changed.proposedBy, approver: changed.by })
                        : changed.by,
                    ].join(' · '),
                  )}
                </Text>
              ),
          },
          {
            title: 'col.actions',
            cell: (way) =>
              way.proposal ? (
                <ProposalLink id={way.proposal} />
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  miw="max-content"
                  aria-label={`${say(way.isOff ? 'ways.switchOn' : 'ways.switchOff')}: ${wayName(way.name)}`}
                  onClick={() => setSwitching(way)}
                >
                  {say(way.isOff ? 'ways.switchOn' : 'ways.switchOff')}
                </Button>
              ),
          },
        ]}
      />
      {switching && (
        <SwitchDialog way={switching} isProposed={takesTwo && !switching.isOff} close={() => setSwitching(null)} />
      )}
    </PageSection>
  );
}

function SwitchDialog({ way, isProposed, close }: { way: Way; isProposed: boolean; close: () => void }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [texts, setTexts] = useState(way.texts);
  const { gateway, isOff, version } = way;
  const name = useWayName()(way.name);
  return (
    <ReasonDialog
      title={say(isOff ? 'ways.onTitle' : 'ways.offTitle', { name })}
      text={[say(isOff ? 'ways.onText' : 'ways.offText'), isProposed && say('ways.takesTwo')].filter(Boolean).join(' ')}
      action={say(isProposed ? 'ways.propose' : isOff ? 'ways.switchOn' : 'ways.switchOff')}
      close={close}
      draft={`switch ${gateway}`}
      act={async (reason) => {
        const { proposal } = await call('switchWay', { gateway, isOff: !isOff, texts, version, reason }).finally(() =>
          queries.invalidateQueries({ queryKey: ['ways'] }),
        );
        const done = say(isOff ? 'ways.isOn' : 'ways.isOff', { name });
        notifications.show({ message: proposal ? say('ways.proposed') : done });
      }}
    >
      {!isOff && <LanguageTexts label="ways.toldOff" texts={texts} change={setTexts} isRequired={false} />}
    </ReasonDialog>
  );
}
