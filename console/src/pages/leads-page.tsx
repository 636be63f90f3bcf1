import { Anchor, Badge, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { leadStages } from '@portal/domain/lead/lead-stage.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'wouter';
import { call, download } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLeadTableWords } from '../lib/use-lead-table-words.ts';
import { useMay } from '../lib/use-me.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { Exports } from '../ui/exports.tsx';
import { PagedRows } from '../ui/paged-rows.tsx';
import { SavedViews } from '../ui/saved-views.tsx';

const exports = ['exportLeads', 'exportLeadsInFull'] as const;

/** Home-broadband requests by stage. Stage and assignee are in the URL. */
export function LeadsPage() {
  const { say } = useLanguage();
  const { time, money } = useFormat();
  const may = useMay();
  const words = useLeadTableWords();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const stage = leadStages.find((one) => one === search.get('stage')) ?? 'new';
  const assigned = search.get('assigned') || undefined;
  const found = useInfiniteQuery({
    queryKey: ['leads', stage, assigned ?? ''],
    queryFn: ({ pageParam }) => call('leads', { stage, assigned, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
    // Counts and people keep their place while another stage is loading.
    placeholderData: (before) => before && { ...before, pages: before.pages.map((page) => ({ ...page, leads: [] })) },
  });
  const [first] = found.data?.pages ?? [];
  const people = (first?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isLoading = found.isPending || found.isPlaceholderData;
  const address = (to: { stage?: string; assigned?: string | undefined }) => {
    const { stage: toStage, assigned: whose } = { stage, assigned, ...to };
    return `/leads?${new URLSearchParams({ stage: toStage, ...(whose ? { assigned: whose } : {}) })}`;
  };
  const counted = (one: string) => {
    const count = first?.counts.find((each) => each.stage === one);
    return count ? ` (${count.count}${count.isMore ? '+' : ''})` : '';
  };
  return (
    <Stack>
      <Title order={1}>{say('leads.title')}</Title>
      <Text>{say('leads.text')}</Text>
      <ChoiceLinks
        label={say('leads.stages')}
        choices={leadStages.map((one) => ({
          href: address({ stage: one }),
          label: `${say(`leadStage.${one}`)}${counted(one)}`,
          isChosen: one === stage,
        }))}
      />
      <Group align="flex-end" justify="space-between">
        <NativeSelect
          label={say('leads.assigned')}
          value={assigned ?? ''}
          miw="min(18rem, 100%)"
          onChange={(event) => go(address({ assigned: event.currentTarget.value || undefined }))}
          data={[
            { value: '', label: say('leads.anybody') },
            { value: 'nobody', label: say('leads.nobody') },
            ...people,
            ...(assigned && ![...people, { value: 'nobody' }].some(({ value }) => value === assigned)
              ? [{ value: assigned, label: say('leads.otherPerson') }]
              : []),
          ]}
        />
        <Group>
          <Exports
            exports={exports
              .filter((one) => may(one === 'exportLeads' ? 'leads.export' : 'leads.exportInFull'))
              .map((one) => ({
                ...{ name: one, label: `leads.${one}`, text: `leads.${one}Text` },
                download: (reason) => download(one, { stage, assigned, reason, words }, `leads-${stage}.csv`),
              }))}
          />
        </Group>
      </Group>
      <SavedViews page="leads" />
      <PagedRows
        query={{ ...found, isPending: isLoading }}
        label={say('leads.title')}
        none={say('leads.none')}
        rows={found.data?.pages.flatMap(({ leads }) => leads) ?? []}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'find.request',
            cell: ({ id }) => (
              <Anchor component={Link} href={`/leads/${id}`} style={{ overflowWrap: 'anywhere' }}>
                {id}
              </Anchor>
            ),
          },
          { title: 'col.when', cell: ({ createdAt }) => time(createdAt) },
          { title: 'col.name', cell: ({ name }) => name },
          { title: 'leads.town', cell: ({ town }) => town },
          { title: 'payment.type', cell: ({ plan }) => plan },
          { title: 'col.amount', cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
          {
            title: 'leads.status',
            cell: ({ status }) => (
              <Badge variant="light" tt="none" h="auto" styles={{ label: { whiteSpace: 'normal' } }}>
                {say(`lead.${status}`)}
              </Badge>
            ),
          },
          { title: 'leads.assigned', cell: ({ assignedTo }) => assignedTo?.name ?? '' },
        ]}
      />
    </Stack>
  );
}
