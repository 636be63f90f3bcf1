import { useLanguage } from './language.tsx';
import { useLanguageName } from './use-language-name.ts';
import { useWayName } from './use-way-name.ts';

/** Name of a proposal: a package by its title and languages, a way to pay as customers read it, anything else as proposed. */
export function useProposalName(): (proposal: { kind: string; name: string }) => string {
  const { sayOr } = useLanguage();
  const languageName = useLanguageName();
  const wayName = useWayName();
  return ({ kind, name }) => {
    const [, page, languages = ''] = (kind === 'publication' && /^(\S+)(?: \((.*)\))?$/.exec(name)) || [];
    if (kind === 'wayOff') return wayName(name);
    if (!page) return name;
    const title = sayOr(`contentName.${page}`);
    const read = languages.split(', ').filter(Boolean).map(languageNameOf(languageName));
    return read.length > 0 ? `${title} (${read.join(', ')})` : title;
  };
}

const languageNameOf = (name: (locale: string) => string) => (code: string) => name(code.toLowerCase());
