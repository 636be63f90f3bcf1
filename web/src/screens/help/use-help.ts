import { useEffect, useState } from 'react';
import { useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import type { Faq } from './help-model.ts';

/** For as long as the document lives: going from stage to stage asks nothing again. */
const kept = new Map<string, readonly Faq[]>();

export const faqsKept = (code: string): readonly Faq[] | null => kept.get(code) ?? null;

/** Everything that can be asked, in each of these languages; what is not there yet is fetched. */
export function useFaqs(codes: readonly string[]) {
  const { api, operator } = usePage();
  const online = useOnline();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  const [, setArrived] = useState(0);
  const missing = codes.filter((code) => !kept.has(code)).join(' ');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry and a line that is back ask again
  useEffect(() => {
    if (!missing) return;
    const abort = new AbortController();
    setFailed(false);
    for (const code of missing.split(' ')) {
      const headers = { lang: code.toLowerCase() };
      api('faqs', { query: { opco: operator.opco }, headers, signal: abort.signal }).then((answer) => {
        if (answer.ok) kept.set(code, answer.result);
        if (abort.signal.aborted) return;
        if (answer.ok) setArrived((count) => count + 1);
        else setFailed(true);
      });
    }
    return () => abort.abort();
  }, [missing, online, tries]);

  return { failed, retry: () => setTries((count) => count + 1) };
}

/** One question as it stands after a vote; the kept list follows. */
export function rememberFaq(code: string, fresh: Faq) {
  const list = kept.get(code);
  if (list)
    kept.set(
      code,
      list.map((faq) => (faq.questionId === fresh.questionId ? fresh : faq)),
    );
}
