import { Anchor, Badge, Button, Card, Grid, Group, NativeSelect, Stack, Text, Timeline, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleInput } from '@portal/contract/console/contract.ts';
import { type LeadStage, leadStages, noteText } from '@portal/domain/lead/lead-stage.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import type { TextKey } from '../texts/en.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FactTable } from '../ui/fact-table.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { LongText } from '../ui/long-text.tsx';
import { MaskedValue } from '../ui/masked-value.tsx';
import { PageSection } from '../ui/page-section.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { ShortCode } from '../ui/short-code.tsx';
import { wrapped } from '../ui/wrapped.tsx';
import { type Lead, LostMoney, MoneyBack } from './lead-money.tsx';

/** One home-broadband request: its owner, its stage and the notes of colleagues. */
export function LeadPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { say } = useLanguage();
  const may = useMay();
  const lead = useQuery({ queryKey: ['lead', id], queryFn: () => call('lead', { id }), refetchInterval: 10_000 });
  return (
    <Loaded query={lead}>
      {(loaded) => (
        <Stack>
          <Stack gap={4}>
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {wrapped(say('lead.title', { id: loaded.id }))}
            </Title>
            <Group>
              <Badge variant="light" tt="none" size="lg">
                {say(`leadStage.${loaded.stage}`)}
              </Badge>
            </Group>
          </Stack>
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <Facts lead={loaded} />
                <Notes lead={loaded} />
                <History lead={loaded} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack>
                {loaded.stage === 'lost' && loaded.money === 'paid' && (
                  <PageSection title="lead.money">
                    <Stack>
                      <LostMoney lead={loaded} />
                      {may('leads.settle') && <MoneyBack lead={loaded} />}
                    </Stack>
                  </PageSection>
                )}
                {may('leads.work') && <Work lead={loaded} />}
                {may('leads.erase') && <Erase lead={loaded} />}
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Loaded>
  );
}

function Facts({ lead }: { lead: Lead }) {
  const { say } = useLanguage();
  const { time, money } = useFormat();
  const may = useMay();
  const hidden = (field: ConsoleInput<'revealLead'>['field']) => (
    <MaskedValue
      masked={lead[field]}
      permission="leads.reveal"
      draft={lead.id}
      reveal={(reason) => call('revealLead', { id: lead.id, field, reason })}
    />
  );
  const { paymentId } = lead;
  return (
    <PageSection title="payment.facts">
      <FactTable
        rows={[
          [say('col.when'), time(lead.createdAt)],
          [say('col.name'), hidden('name')],
          [say('col.number'), hidden('number')],
          [say('payment.email'), hidden('email')],
          [say('leads.town'), lead.town],
          [say('leadField.address'), hidden('address')],
          [say('leads.served'), say(lead.isFeasible ? 'leads.yes' : 'leads.no')],
          [say('payment.type'), `${lead.plan} · ${money(lead.amount, lead.currency)}`],
          [say('leads.status'), say(`lead.${lead.status}`)],
          [
            say('leads.payment'),
            paymentId &&
              (may('payments.find') ? (
                <Anchor component={Link} href={`/payments/${paymentId}`}>
                  {say('lead.toPayment')}
                </Anchor>
              ) : (
                <ShortCode code={paymentId} />
              )),
          ],
        ]}
      />
    </PageSection>
  );
}

function Work({ lead }: { lead: Lead }) {
  const { say } = useLanguage();
  const { id, version, stage, assignedTo, people } = lead;
  // A former colleague stays assigned until somebody reassigns it.
  const known = people.some((one) => one.id === assignedTo?.id) || !assignedTo ? people : [assignedTo, ...people];
  return (
    <PageSection title="lead.work">
      <Stack>
        <Choice
          lead={id}
          label="leads.stage"
          action="lead.move"
          now={stage}
          options={leadStages.map((one) => ({ value: one, label: say(`leadStage.${one}`) }))}
          confirms={(to) => to === 'lost' && ['paid', 'underWay'].includes(lead.money) && <LostMoney lead={lead} />}
          act={(to) => call('moveLead', { id, version, stage: to as LeadStage })}
        />
        <Choice
          lead={id}
          label="leads.assigned"
          action="lead.assign"
          now={assignedTo?.id ?? ''}
          options={[
            { value: '', label: say('leads.nobody') },
            ...known.map((one) => ({ value: one.id, label: one.name })),
          ]}
          act={(to) => call('assignLead', { id, version, person: to || null })}
        />
      </Stack>
    </PageSection>
  );
}

interface ChoiceProps {
  lead: string;
  label: TextKey;
  action: TextKey;
  now: string;
  options: { value: string; label: string }[];
  act: (to: string) => Promise<unknown>;
  /** What has to be read before it is done; false for nothing. */
  confirms?: (to: string) => ReactNode;
}

/** Saved with a button, because arrow keys change a select's value immediately. After a conflict the choice is kept. */
function Choice({ lead, label, action, now, options, act, confirms }: ChoiceProps) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const reload = () => queries.invalidateQueries({ queryKey: ['lead', lead] });
  async function done() {
    await reload();
    setChosen(null);
    notifications.show({ message: say('people.done') });
  }
  const acting = useAct({
    mutationKey: ['lead', lead],
    mutationFn: act,
    onSuccess: done,
    onError: () => void reload(),
  });
  const [isAsked, setAsked] = useState(false);
  const shown = chosen ?? now;
  const toRead = confirms?.(shown);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (toRead) setAsked(true);
    else acting.mutate(shown);
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Group align="flex-end" wrap="nowrap">
            <NativeSelect
              label={say(label)}
              value={shown}
              flex={1}
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={options}
            />
            <Button type="submit" variant="default" disabled={shown === now} loading={acting.isPending}>
              {say(action)}
            </Button>
          </Group>
          {acting.error && <ProblemBox problem={acting.error} />}
        </Stack>
      </form>
      {isAsked && (
        <ConfirmDialog
          title={say('lead.lostTitle')}
          text={say('lead.lostText')}
          action={say(action)}
          close={() => setAsked(false)}
          act={() => act(shown).then(done)}
          settled={reload}
        >
          {toRead}
        </ConfirmDialog>
      )}
    </>
  );
}

/** The draft is kept until it is saved, so a conflict loses nothing. */
function Notes({ lead: { id, version, notes } }: { lead: Lead }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const may = useMay();
  const queries = useQueryClient();
  const draft = `note ${id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(draft) ?? '');
  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(draft, next);
  };
  const reload = () => queries.invalidateQueries({ queryKey: ['lead', id] });
  const noting = useAct({
    mutationKey: ['lead', id],
    mutationFn: () => call('noteLead', { id, version, text }),
    async onSuccess() {
      await reload();
      change('');
    },
    onError: () => void reload(),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    noting.mutate();
  }
  return (
    <PageSection title="lead.notes">
      <Stack>
        {may('leads.work') && (
          <form onSubmit={submit}>
            <Stack>
              <LongText
                label={say('lead.note')}
                description={say('lead.noteHint')}
                value={text}
                change={change}
                minLength={noteText.least}
                most={noteText.most}
                autosize
                minRows={2}
                required
              />
              {noting.error && <ProblemBox problem={noting.error} />}
              <Group justify="flex-end">
                <Button type="submit" loading={noting.isPending}>
                  {say('lead.saveNote')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        {notes.length === 0 && <Text>{say('lead.noNotes')}</Text>}
        {notes.map(({ at, person, text: words }) => (
          <Card key={at} withBorder padding="xs">
            <Text size="xs" c="dimmed">
              {person} · {time(at)}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{wrapped(words)}</Text>
          </Card>
        ))}
      </Stack>
    </PageSection>
  );
}

function History({ lead: { history } }: { lead: Lead }) {
  const { sayOr } = useLanguage();
  const { time } = useFormat();
  return (
    <PageSection title="lead.history">
      <Timeline bulletSize={12} lineWidth={2} active={history.length - 1} mt="md">
        {history.map(({ at, what, codes, by, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end.
          <Timeline.Item key={index} title={sayOr(what)}>
            <Text size="sm">{[...codes.map(sayOr), detail, by].filter(Boolean).join(' · ')}</Text>
            <Text size="xs" c="dimmed">
              {time(at)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </PageSection>
  );
}

function Erase({ lead: { id, money, stage } }: { lead: Lead }) {
  const { say } = useLanguage();
  const isOwed = money === 'paid' && stage !== 'installed';
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  if (money === 'underWay' || isOwed)
    return (
      <PageSection title="lead.erase">
        <Text>{say(isOwed ? 'problem.requestPaid' : 'problem.paymentUnderWay')}</Text>
      </PageSection>
    );
  return (
    <Group>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {say('lead.erase')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={say('lead.eraseTitle')}
          text={say('lead.eraseText')}
          action={say('lead.erase')}
          close={() => setAsked(false)}
          draft={`erase ${id}`}
          act={async (reason) => {
            await call('eraseLead', { id, reason });
            queries.removeQueries({ queryKey: ['lead', id] });
            notifications.show({ message: say('people.done') });
            go('/leads');
          }}
        />
      )}
    </Group>
  );
}
