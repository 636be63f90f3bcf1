import type { SheetNames } from '@portal/contract/console/sheets.ts';
import { fromWall } from '@portal/domain/zoned-time.ts';
import { useLanguage } from './language.tsx';
import { useEntryName } from './use-entry-name.ts';
import { useFormat } from './use-format.ts';
import { useLanguageName } from './use-language-name.ts';
import { useMe } from './use-me.ts';
import { useWayName } from './use-way-name.ts';

/** Name of a proposal: a package by its title and languages, a way to pay as customers read it, maintenance by its time, an erased person by the code in the audit, a table's entry by its code and name, anything else as proposed. */
export function useProposalName(): (proposal: { kind: string; name: string; names: SheetNames }) => string {
  const { say, sayOr } = useLanguage();
  const languageName = useLanguageName();
  const wayName = useWayName();
  const { timeRange } = useFormat();
  const { operator } = useMe();
  const { proposed } = useEntryName();
  return ({ kind, name, names }) => {
    const [, page, languages = ''] = (kind === 'publication' && /^(\S+)(?: \((.*)\))?$/.exec(name)) || [];
    if (kind === 'wayOff') return wayName(name);
    if (kind === 'maintenance') {
      const [from, to] = name.split(' – ').map((wall) => fromWall(wall.replace(' ', 'T'), operator.timeZone));
      return from && to ? timeRange(from, to) : name;
    }
    // Once it is decided, nothing else is left of the person.
    if (kind === 'erasure' && !name.includes('•')) return say('approvals.personCode', { code: name });
    if (!page) return proposed(name, names);
    const title = sayOr(`contentName.${page}`);
    const read = languages.split(', ').filter(Boolean).map(languageNameOf(languageName));
    return read.length > 0 ? `${title} (${read.join(', ')})` : title;
  };
}

const languageNameOf = (name: (locale: string) => string) => (code: string) => name(code.toLowerCase());
