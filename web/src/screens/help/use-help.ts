import { useEffect, useEffectEvent, useState } from 'react';
import { useToast } from '../../features/toast/use-toast.ts';
import type { Api, Failure } from '../../lib/api.ts';
import { useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import type { Faq } from './help-model.ts';

/** For as long as the document lives: going from stage to stage asks nothing again. */
const kept = new Map<string, readonly Faq[]>();

const coming = new Map<string, Promise<Failure | null>>();

/** Asked for once, for all who want it meanwhile. Null when it is here. */
function bring(api: Api, opco: string, code: string): Promise<Failure | null> {
  if (kept.has(code)) return Promise.resolve(null);
  const asked =
    coming.get(code) ??
    api('faqs', { query: { opco }, headers: { lang: code.toLowerCase() } }).then((answer) => {
      coming.delete(code);
      if (!answer.ok) return answer;
      kept.set(code, answer.result);
      return null;
    });
  coming.set(code, asked);
  return asked;
}

export const faqsKept = (code: string): readonly Faq[] | null => kept.get(code) ?? null;

/** Everything that can be asked, in each of these languages; what is not there yet is fetched. */
export function useFaqs(codes: readonly string[]) {
  const { api, operator } = usePage();
  const online = useOnline();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState<Failure | null>(null);
  const tell = useEffectEvent(useToast().failed);
  const [, setArrived] = useState(0);
  const missing = codes.filter((code) => !kept.has(code)).join(' ');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry and a line that is back ask again
  useEffect(() => {
    if (!missing) return;
    let isWaited = true;
    setFailed(null);
    for (const code of missing.split(' '))
      bring(api, operator.opco, code).then((failure) => {
        if (!isWaited) return;
        if (!failure) return setArrived((count) => count + 1);
        setFailed(failure);
        tell(failure);
      });
    return () => {
      isWaited = false;
    };
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
