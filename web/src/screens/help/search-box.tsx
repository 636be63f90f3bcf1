import { inputDebounceMilliseconds } from '@portal/domain/constants.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { memo, type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { recordSearch } from '../../lib/analytics.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { whenUsable } from '../../loading/deferred.ts';
import { Button } from '../../ui/button.tsx';
import { SearchIcon } from '../../ui/page-icons.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './help.module.css';
import type { Entry, Faq } from './help-model.ts';
import type { HelpSearch } from './help-search.ts';
import { NotFetched, QuestionList } from './help-stages.tsx';
import { faqsKept, useFaqs } from './use-help.ts';

const vainMilliseconds = 2_000;
const wordLetters = 3;

interface SearchBoxProps {
  /** The server's results for the URL; valid until something else is typed. */
  found: { text: string; results: Entry[] } | null;
  /** Shown while nothing is searched. */
  children: ReactNode;
}

/** Searches while typing; without script its form asks the server. */
export function SearchBox({ found, children }: SearchBoxProps) {
  const page = usePage();
  const { t } = page;
  const isStart = page.path === paths.help;
  const asked = isStart ? (page.query.q ?? '') : '';
  const [text, setText] = useState(asked);
  const [isNear, setNear] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const written = useRef(asked);
  const { results, failed, retry } = useResults(text, isNear, found);

  // Text typed before hydration is in the field already.
  useEffect(() => {
    if (input.current?.value) setText(input.current.value);
  }, []);

  // Going back shows the URL's text.
  useEffect(() => {
    if (asked === written.current) return;
    written.current = asked;
    setText(asked);
    if (input.current) input.current.value = asked;
  }, [asked]);

  const writeAddress = useEffectEvent((typed: string) => {
    // If an answer was opened meanwhile, do not navigate back to the search.
    if (window.location.pathname !== page.href(paths.help)) return;
    written.current = typed;
    page.navigate(withQuery(paths.help, { q: typed }), { replace: true, stay: true });
  });
  useEffect(() => {
    if (!isStart || text === written.current) return;
    const timer = setTimeout(() => writeAddress(text), inputDebounceMilliseconds);
    return () => clearTimeout(timer);
  }, [text, isStart]);

  // Counted once typing has stopped: half a word finds nothing and means nothing.
  const vain = results?.length === 0 ? text.trim() : '';
  // Two letters that begin no word of ours may still become one.
  const isSearched = text.trim() !== '' && (vain === '' || vain.length >= wordLetters);
  const { api } = page;
  useEffect(() => {
    if (!vain) return;
    const timer = setTimeout(() => recordSearch(api, vain), vainMilliseconds);
    return () => clearTimeout(timer);
  }, [vain, api]);

  return (
    <>
      <SearchForm asked={asked} input={input} onNear={setNear} onText={setText} />
      {/* While searching, the stage and its heading are hidden, so this heading replaces that one. */}
      {isSearched && !isStart && <h1 className="visually-hidden">{t('help.heading')}</h1>}
      <p role="status" className={isSearched && results ? styles.lead : 'visually-hidden'}>
        {isSearched && results && sayCount(results.length)}
      </p>
      {vain && isSearched && !isStart && <Link href={paths.help}>{t('help.toStart')}</Link>}
      {/* Hidden rather than unmounted, so that the first key press stays fast. Where nothing is found, the subjects are. */}
      <div className={styles.stage} hidden={isSearched && !(vain && isStart)}>
        {children}
      </div>
      {text.trim() &&
        !results &&
        (failed ? <NotFetched failure={failed} onRetry={retry} /> : <Skeleton height={48} lines={5} />)}
      <QuestionList questions={useBestFirst(results ?? none)} />
    </>
  );

  function sayCount(count: number): string {
    if (count === 0) return t('help.noMatch', { text: text.trim() });
    return count === 1 ? t('help.foundOne') : t('help.found', { count });
  }
}

interface SearchFormProps {
  asked: string;
  input: RefObject<HTMLInputElement | null>;
  onNear(isNear: boolean): void;
  onText(text: string): void;
}

/** Memoised: does not render while typing. */
const SearchForm = memo(function SearchForm({ asked, input, onNear, onText }: SearchFormProps) {
  const page = usePage();
  const { t } = page;
  return (
    <search>
      <form
        className={styles.search}
        method="get"
        action={page.href(paths.help)}
        onSubmit={(event) => {
          event.preventDefault();
          if (page.path !== paths.help) page.navigate(withQuery(paths.help, { q: input.current?.value }));
        }}
      >
        <label className="visually-hidden" htmlFor="help-search">
          {t('help.search')}
        </label>
        <SearchIcon />
        <input
          ref={input}
          id="help-search"
          type="search"
          name="q"
          defaultValue={asked}
          placeholder={t('help.search')}
          maxLength={100}
          autoComplete="off"
          enterKeyHint="search"
          onFocus={() => onNear(true)}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <Button type="submit">{t('help.searchButton')}</Button>
      </form>
    </search>
  );
});

const none: readonly Entry[] = [];
const foundAtOnce = 4;

/**
 * The best results render with the key press, the others after the next paint: on a slow phone that is a fifth
 * faster.
 */
function useBestFirst(found: readonly Entry[]): readonly Entry[] {
  const [painted, setPainted] = useState(found);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(found));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [found]);
  return painted === found ? found : [...found.slice(0, foundAtOnce), ...painted.slice(foundAtOnce, found.length)];
}

const helpSearch = whenUsable(() => import('./help-search.ts'));

/** Built once per list of questions: moving between stages rebuilds nothing. */
const made = new WeakMap<readonly Faq[], { search: HelpSearch; languages: number }>();

/** Null while the questions are loading. Other languages are added when they arrive. */
function useResults(text: string, isNear: boolean, found: SearchBoxProps['found']) {
  const { operator, language } = usePage();
  const codes = [language.code, ...operator.languages.map(({ code }) => code).filter((code) => code !== language.code)];
  const wanted = isNear || text.trim() !== '';
  const isFound = found !== null && found.text === text.trim();
  const { failed, retry } = useFaqs(wanted && !(isFound && !isNear) ? codes : []);
  const [shown = null, ...rest] = codes.map(faqsKept);
  const others = rest.filter((list) => list !== null);
  // At most two indexes: one of the page's language at once, one of all languages when no more are to come.
  const languages = failed || others.length === rest.length ? 1 + others.length : 1;
  const [, setMade] = useState(0);
  const search = shown ? (made.get(shown)?.search ?? null) : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a loaded list never changes
  useEffect(() => {
    if (!wanted || !shown || (made.get(shown)?.languages ?? 0) >= languages) return;
    const abort = new AbortController();
    const lists = [shown, ...(languages > 1 ? others : [])];
    helpSearch()
      .then(({ buildSearchInSlices }) => buildSearchInSlices(lists, abort.signal))
      .then((built) => {
        if (!built) return;
        made.set(shown, { search: built, languages });
        setMade((count) => count + 1);
      });
    return () => abort.abort();
  }, [wanted, shown, languages]);

  const results = useMemo((): Entry[] | null => {
    if (text.trim() === '') return null;
    if (search) return search(text);
    return isFound ? found.results : null;
  }, [search, text, isFound, found]);
  return { results, failed, retry };
}
