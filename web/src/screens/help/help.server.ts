import * as errorCodes from '@portal/contract/error-codes.ts';
import { withQuery } from '@portal/domain/paths.ts';
import type { Api } from '../../lib/api.ts';
import { failureError } from '../../lib/page.tsx';
import type { Acted, ActionContext, LoadContext, Loaded } from '../../lib/screen.ts';
import { type Answer, type Entry, type Faq, type HelpView, titleOfView, viewAt } from './help-model.ts';
import { buildSearch, type HelpSearch } from './help-search.ts';

export interface HelpLoaded {
  language: string;
  path: string;
  /** Null when the content service did not answer. */
  view: HelpView | null;
  found: { text: string; results: Entry[] } | null;
}

const searchLifeMs = 60_000;
const searches = new Map<string, { search: HelpSearch; until: number }>();

async function faqsIn(api: Api, opco: string, code: string): Promise<Faq[] | null> {
  const answer = await api('faqs', { query: { opco }, headers: { lang: code.toLowerCase() } });
  return answer.ok ? answer.result : null;
}

/** The index is built at most once a minute per language, however many searches come without script. */
async function searchIn({ api, operator, language }: LoadContext, faqs: Faq[]): Promise<HelpSearch> {
  const key = `${operator.code} ${language.code}`;
  const kept = searches.get(key);
  if (kept && kept.until > Date.now()) return kept.search;
  const others = operator.languages.filter(({ code }) => code !== language.code);
  const lists = await Promise.all(others.map(({ code }) => faqsIn(api, operator.opco, code)));
  const search = buildSearch([faqs, ...lists.flatMap((list) => (list ? [list] : []))]);
  searches.set(key, { search, until: Date.now() + searchLifeMs });
  return search;
}

export async function load(context: LoadContext): Promise<Loaded<HelpLoaded>> {
  const { api, operator, language, path, query } = context;
  const faqs = await faqsIn(api, operator.opco, language.code);
  if (!faqs) return { loaded: { language: language.code, path, view: null, found: null }, status: 503 };
  const view = viewAt(faqs, path, operator);
  const text = (query.q ?? '').trim().slice(0, 100);
  const found = text ? { text, results: (await searchIn(context, faqs))(text) } : null;
  const title = titleOfView(view);
  return {
    loaded: { language: language.code, path, view, found },
    status: view.stage === 'unknown' ? 404 : 200,
    ...(found ? { noindex: true } : {}),
    ...(title ? { title } : {}),
    ...(view.stage === 'answer' ? { structuredData: faqPage(view.answer) } : {}),
  };
}

/** Structured data, so that search engines can show the answer itself. */
const faqPage = ({ question, html }: Answer) => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: [{ '@type': 'Question', name: question, acceptedAnswer: { '@type': 'Answer', text: html } }],
});

/** A vote posted without script. It redirects to a URL with the result, so that a reload does not vote again. */
export async function action({ api, operator, path, form }: ActionContext): Promise<Acted> {
  const questionId = path.split('/').at(-1) ?? '';
  const body = { questionId, isLike: form.isLike === 'true', opco: operator.opco };
  const answer = await api('vote', { body });
  if (answer.ok) return { redirect: withQuery(path, { voted: 'yes' }) };
  if (answer.code === errorCodes.alreadyVoted) return { redirect: withQuery(path, { voted: 'again' }) };
  return { form: { values: {}, errors: { form: failureError(answer, 'help.voteFailed') } } };
}
