import { useState } from 'react';
import { useToast } from '../../features/toast/use-toast.ts';
import type { Api, Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { useCall } from '../../lib/use-call.ts';
import type { Faq } from './help-model.ts';

/** Cached for the life of the document: moving between stages requests nothing again. */
const kept = new Map<string, readonly Faq[]>();

const coming = new Map<string, Promise<Failure | null>>();

/** One request for all concurrent callers. Null when it is cached. */
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

/** All questions in each of these languages; missing ones are requested. */
export function useFaqs(codes: readonly string[]) {
  const { api, operator } = usePage();
  const [, setArrived] = useState(0);
  const missing = codes.filter((code) => !kept.has(code));
  const call = useCall(
    missing.join(' ') || null,
    async (signal) => {
      const asked = missing.map(async (code) => {
        const failure = await bring(api, operator.opco, code);
        // The other languages load in the background.
        if (!failure && !signal.aborted) setArrived((count) => count + 1);
        return failure;
      });
      const failure = (await Promise.all(asked)).find((found) => found !== null);
      return failure ?? { ok: true, result: null };
    },
    { onFailed: useToast().failed },
  );
  return { failed: call.state === 'failed' ? call.failure : null, retry: call.retry };
}

/** Updates the cached question after a vote. */
export function rememberFaq(code: string, fresh: Faq) {
  const list = kept.get(code);
  if (list)
    kept.set(
      code,
      list.map((faq) => (faq.questionId === fresh.questionId ? fresh : faq)),
    );
}
