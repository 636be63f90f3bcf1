import type { ResultOf } from '@portal/contract/contract.ts';
import { popularQuestions } from '@portal/domain/constants.ts';
import { helpPath, paths } from '@portal/domain/paths.ts';
import { isOffered } from '@portal/domain/screens.ts';

export type Faq = ResultOf<'faqs'>[number];

/** A category or a topic; `target` is its own stage, or the page of the portal that replaces it. */
export interface Place {
  id: string;
  name: string;
  target: string;
}

export interface Entry {
  id: string;
  question: string;
  path: string;
}

export interface Crumb {
  name: string;
  path: string;
}

export interface Answer {
  id: string;
  question: string;
  /** Sanitised by the server. */
  html: string;
  percent: number;
}

/** The data of each stage: small enough to be embedded in the page, whatever the help centre holds. */
export type HelpView =
  | { stage: 'start'; categories: Place[]; popular: Entry[]; fears: Entry[] }
  | {
      stage: 'category';
      name: string;
      crumbs: Crumb[];
      topics: Place[];
      questions: Entry[];
      related: Place[];
      popular: Entry[];
    }
  | { stage: 'answer'; crumbs: Crumb[]; answer: Answer; related: Entry[] }
  | { stage: 'elsewhere'; name: string; crumbs: Crumb[]; target: string }
  | { stage: 'unknown' };

/** The questions about missing money, shown first. */
const moneyFears = ['failed-money-taken', 'paid-twice', 'when-refund'];

const relatedMost = 5;
/** Categories about contacting a person show no popular questions. */
const contactCategory = 'contact-details';

const topOf = (faq: Faq) => faq.parentCategoryId ?? faq.categoryId;
const isQuestion = (faq: Faq) => !faq.href;

export const pathOf = (faq: Faq): string =>
  helpPath(...(faq.parentCategoryId ? [faq.parentCategoryId] : []), faq.categoryId, faq.questionId);

export const entryOf = (faq: Faq): Entry => ({ id: faq.questionId, question: faq.question, path: pathOf(faq) });

/** URLs of all questions with a page of their own; those that redirect have none. */
export const questionPaths = (faqs: readonly Faq[]): string[] => faqs.filter(isQuestion).map(pathOf);

/** The URL's last segment is the slug of a question, a topic or a category. */
export function viewAt(all: readonly Faq[], path: string, operator: Parameters<typeof isOffered>[1]): HelpView {
  // A category may redirect to a page of the portal, which the operator may have switched off.
  const faqs = all.filter(({ href }) => !href || isOffered(href, operator));
  const last = path.slice(paths.help.length).split('/').filter(Boolean).at(-1);
  if (last === undefined)
    return {
      stage: 'start',
      categories: categoriesOf(faqs),
      popular: popularAmong(faqs, popularQuestions.help),
      fears: moneyFears.flatMap((id) => faqs.find(({ questionId }) => questionId === id) ?? []).map(entryOf),
    };
  const asked = faqs.find((faq) => faq.questionId === last && isQuestion(faq));
  if (asked) return answerView(faqs, asked);
  const inside = faqs.filter((faq) => faq.categoryId === last || faq.parentCategoryId === last);
  return inside[0] ? categoryView(faqs, inside, last) : { stage: 'unknown' };
}

function answerView(faqs: readonly Faq[], faq: Faq): HelpView {
  const beside = faqs.filter((one) => isQuestion(one) && one.categoryId === faq.categoryId && one !== faq);
  return {
    stage: 'answer',
    crumbs: crumbsTo(faq),
    answer: { id: faq.questionId, question: faq.question, html: faq.answer, percent: faq.countLikePercentage },
    related: beside.slice(0, relatedMost).map(entryOf),
  };
}

function categoryView(faqs: readonly Faq[], inside: readonly Faq[], id: string): HelpView {
  const first = inside.find((faq) => faq.categoryId === id) ?? inside[0];
  if (!first) return { stage: 'unknown' };
  const isTopic = first.categoryId === id && first.parentCategoryId !== undefined;
  const name = first.categoryId === id ? first.category : (first.parentCategory ?? '');
  const crumbs = isTopic && first.parentCategoryId ? [topCrumb(first)] : [];
  if (first.categoryId === id && first.href) return { stage: 'elsewhere', name, crumbs, target: first.href };
  const questions = inside.filter((faq) => faq.categoryId === id && isQuestion(faq));
  const unlisted = faqs.filter((faq) => topOf(faq) === topOf(first) && !questions.includes(faq));
  const siblings = isTopic ? topicsOf(faqs, topOf(first)).filter((topic) => topic.id !== id) : [];
  return {
    stage: 'category',
    name,
    crumbs,
    topics: isTopic ? [] : topicsOf(faqs, id),
    questions: questions.map(entryOf),
    related: siblings,
    popular: topOf(first) === contactCategory ? [] : popularAmong(unlisted, popularQuestions.category),
  };
}

const topCrumb = (faq: Faq): Crumb => ({ name: faq.parentCategory ?? faq.category, path: helpPath(topOf(faq)) });

function crumbsTo(faq: Faq): Crumb[] {
  if (!faq.parentCategoryId) return [topCrumb(faq)];
  return [topCrumb(faq), { name: faq.category, path: helpPath(faq.parentCategoryId, faq.categoryId) }];
}

function categoriesOf(faqs: readonly Faq[]): Place[] {
  return [...grouped(faqs, topOf)].map(([id, inside]) => {
    const [first] = inside as [Faq];
    const leads = first.parentCategoryId === undefined ? first.href : undefined;
    return { id, name: topCrumb(first).name, target: leads ?? helpPath(id) };
  });
}

function topicsOf(faqs: readonly Faq[], parent: string): Place[] {
  const inside = faqs.filter((faq) => faq.parentCategoryId === parent);
  return [...grouped(inside, (faq) => faq.categoryId)].map(([id, questions]) => {
    const [first] = questions as [Faq];
    return { id, name: first.category, target: first.href ?? helpPath(parent, id) };
  });
}

/** One question of each category before a second of any, the best rated first, for variety. */
function popularAmong(faqs: readonly Faq[], most: number): Entry[] {
  const popular = faqs.filter((faq) => faq.popular === 'true' && isQuestion(faq));
  const ranked = [...grouped(popular, topOf).values()].map((group) =>
    [...group].sort((one, other) => other.countLikePercentage - one.countLikePercentage),
  );
  const rounds = Math.max(0, ...ranked.map((group) => group.length));
  const dealt = Array.from({ length: rounds }, (_, round) => ranked.flatMap((group) => group[round] ?? [])).flat();
  return dealt.slice(0, most).map(entryOf);
}

function grouped(faqs: readonly Faq[], keyOf: (faq: Faq) => string): Map<string, Faq[]> {
  const groups = new Map<string, Faq[]>();
  for (const faq of faqs) groups.set(keyOf(faq), [...(groups.get(keyOf(faq)) ?? []), faq]);
  return groups;
}

/** The target of Back: one stage up. */
export function stageAbove(view: HelpView): string | null {
  if (view.stage === 'start') return null;
  return ('crumbs' in view ? view.crumbs.at(-1)?.path : undefined) ?? paths.help;
}

export function titleOfView(view: HelpView): string | undefined {
  if (view.stage === 'answer') return view.answer.question;
  return 'name' in view ? view.name : undefined;
}

/** Grouped by task; an operator's further categories are in the last group. */
const wants: Record<string, readonly string[]> = {
  buy: ['recharge', 'bundles', 'bills', 'fixed-internet', 'home-broadband', 'ways-to-pay'],
  money: ['refunds', 'receipts', 'pin', 'codes', 'complaints'],
  line: ['coverage', 'devices', 'sim', 'roaming'],
};

export function byWant(categories: readonly Place[]): { want: string; categories: Place[] }[] {
  const wantOf = ({ id }: Place) => Object.keys(wants).find((want) => wants[want]?.includes(id)) ?? 'us';
  return [...Object.keys(wants), 'us']
    .map((want) => ({ want, categories: categories.filter((category) => wantOf(category) === want) }))
    .filter(({ categories: inside }) => inside.length > 0);
}
