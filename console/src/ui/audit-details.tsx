import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { detailName, detailsOf } from '../lib/audit-details.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useWayName } from '../lib/use-way-name.ts';
import { wrapped } from './wrapped.tsx';

interface Props {
  before: unknown;
  after: unknown;
}

/** Codes that have a text, by field. */
const wordGroups: Record<string, string[]> = {
  state: ['state', 'ticketState'],
  roles: ['role'],
  because: ['because', 'problem'],
  as: ['decision', 'explanation', 'exportedAs'],
  what: ['difference'],
  stage: ['leadStage'],
  page: ['nav'],
  field: ['revealed', 'field'],
  by: ['soughtBy'],
};

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Ids are shortened: long enough to be distinct, short enough to read. */
const shownDigest = 12;

/** What an act changed, as text; a proposal is a link. */
export function AuditDetails({ before, after }: Props) {
  const { say, sayOr } = useLanguage();
  const words = useValueWords({ ...(before as object | null), ...(after as object | null) });
  return (
    <Stack gap={2}>
      {detailsOf(before, after).map((detail) => (
        <Text key={detail.name} size="sm">
          {detail.name === 'proposal' ? (
            <Anchor component={Link} href={`/approvals/${String(detail.after ?? detail.before)}`} inherit>
              {sayOr('detail.proposal')}
            </Anchor>
          ) : (
            <>
              {say('app.named', { name: detailName(detail.name, sayOr) })}{' '}
              {wrapped(
                detail.before !== undefined && detail.after !== undefined
                  ? `${words(detail.name, detail.before)} → ${words(detail.name, detail.after)}`
                  : words(detail.name, detail.after ?? detail.before),
              )}
            </>
          )}
        </Text>
      ))}
    </Stack>
  );
}

function useValueWords(said: { currency?: unknown }) {
  const { say, sayOr } = useLanguage();
  const { money, time } = useFormat();
  const languageName = useLanguageName();
  const wayName = useWayName();
  const text = (name: string, value: string): string => {
    if (isoTime.test(value)) return time(value);
    if (name === 'way') return wayName(value);
    if (name === 'digest' || name === 'head') return value.slice(-shownDigest);
    for (const group of wordGroups[name] ?? []) {
      const found = sayOr(`${group}.${value}`);
      if (found !== value) return found;
    }
    return value;
  };
  return function words(name: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return say('detail.none');
    if (typeof value === 'boolean') return say(value ? 'app.yes' : 'app.no');
    if (typeof value === 'number')
      return name === 'amount' && typeof said.currency === 'string' ? money(value, said.currency) : String(value);
    if (typeof value === 'string') return text(name, value);
    if (Array.isArray(value)) return value.map((one) => words(name, one)).join(', ');
    return Object.entries(value)
      .map(
        ([key, one]) =>
          `${say('app.named', { name: name === 'texts' ? languageName(key) : detailName(key, sayOr) })} ${words(key, one)}`,
      )
      .join(' · ');
  };
}
