import { useState } from 'react';
import { useToast } from '../../features/toast/use-toast.ts';
import type { Api, Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { useCall } from '../../lib/use-call.ts';
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

/** Everything that can be asked, in each of these languages; what is not there yet is requested. */
export function useFaqs(codes: readonly string[]) {
  const { api, operator } = usePage();
  const [, setArrived] = useState(0);
  const missing = codes.filter((code) => !kept.has(code));
  const call = useCall(
    missing.join(' ') || null,
    async (signal) => {
      const asked = missing.map(async (code) => {
        const failure = await bring(api, operator.opco, code);
        // Nobody waits for the other languages.
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

/** One question as it stands after a vote; the kept list follows. */
export function rememberFaq(code: string, fresh: Faq) {
  const list = kept.get(code);
  if (list)
    kept.set(
      code,
      list.map((faq) => (faq.questionId === fresh.questionId ? fresh : faq)),
    );
}
