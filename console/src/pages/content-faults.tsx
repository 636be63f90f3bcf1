import { List } from '@mantine/core';
import { Problem } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { type Body, placeNamed, trailTo } from '../lib/package-tree.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { usePlaceWords } from '../lib/use-place-words.ts';
import { ProblemBox } from '../ui/problem-box.tsx';

type Pages = readonly { page: string; locale: string | null; body: Body }[];

/** A field of a package in words, with its language. */
export function useFieldWords(pages: Pages): (page: string, place: string) => string {
  const nameOf = useLanguageName();
  const placeWords = usePlaceWords();
  return (page, place) => {
    const found = pages.find((one) => one.page === page);
    const words = placeWords(trailTo(placeNamed(place, found?.body), [found?.body, ...pages.map(({ body }) => body)]));
    return found?.locale ? `${words} (${nameOf(found.locale)})` : words;
  };
}

/** Every fault of a refused package, by its field. */
export function ContentFaults({ problem, pages }: { problem: unknown; pages: Pages }) {
  const { say } = useLanguage();
  const fieldWords = useFieldWords(pages);
  const faults = problem instanceof Problem ? problem.faults : [];
  if (faults.length === 0) return null;
  return (
    <List size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
      {faults.map(({ field, code, parameters }) => {
        const [page = '', place = ''] = field.split(' ', 2);
        return (
          <List.Item key={`${field} ${code}`}>
            {say('app.named', { name: fieldWords(page, place) })} {say(`contentFault.${code}`, parameters)}
          </List.Item>
        );
      })}
    </List>
  );
}

/** Why the form was refused. */
export function RefusedContent({ problem, pages }: { problem: Problem; pages: Pages }) {
  return (
    <ProblemBox problem={problem}>
      <ContentFaults problem={problem} pages={pages} />
    </ProblemBox>
  );
}
