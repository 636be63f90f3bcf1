import type { ResultOf } from '@portal/contract/contract.ts';
import { calendarDay, dayPlus } from '@portal/domain/calendar-day.ts';
import { withPrefix } from '@portal/domain/language.ts';
import type { OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import { leastVisits, searchedWords } from '@portal/domain/search-without-result.ts';
import { type HelpContent, type HelpQuestion, type HelpTopic, readHelp } from '@portal/operators/help.ts';
import type { Kysely } from 'kysely';
import { marked } from 'marked';
import { z } from 'zod';
import type { Content } from '../content/content.service.ts';
import { personalData } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import { asMarkdown, fillFacts, helpFacts } from './help.facts.ts';
import {
  findScores,
  forgetSearches,
  forgetVoteDays,
  forgetVoters,
  hasSearched,
  insertSearch,
  insertVote,
  type Score,
  searchesOf,
  votesByDay,
} from './help.store.ts';

export type Faq = ResultOf<'faqs'>[number];
export type VoteResult = ResultOf<'vote'>;

export interface Help {
  /** All questions in the order of the pack, or the one with this id. */
  faqs(locale: string, questionId?: string): Promise<Faq[]>;
  vote(vote: { questionId: string; liked: boolean; voter: string; language: string }): Promise<VoteResult>;
  /**
   * Records a search without results. Text that may identify a person is not stored, and the visitor is a hash that
   * changes every day.
   */
  searchedInVain(search: {
    text: string;
    language: string;
    visit: string;
    /** Draws on the client's budget for these words; false if it is spent. */
    spend: (words: string) => Promise<boolean>;
  }): Promise<void>;
  votesByDay(range: { from: string; to: string }): ReturnType<typeof votesByDay>;
  /** Searches without results that enough visits made, by day. */
  vainSearches(range: { from: string; to: string }): ReturnType<typeof searchesOf>;
  score(questionId: string): Promise<VoteResult>;
  /** The same questions from other content, to preview a draft. */
  faqsOf(locale: string, content: HelpParts['content']['activePackage']): Promise<Faq[]>;
  votes(): Promise<Record<string, { likes: number; votes: number }>>;
  deleteExpired(): Promise<void>;
}

export interface HelpParts {
  db: Kysely<Schema>;
  pack: OperatorPack;
  content: Pick<Content, 'activePackage'>;
  sanitise: (html: string) => string;
  now: () => Date;
}

/** A Markdown link to a page of the portal. */
const ownLink = /\]\((\/[^)\s]*)\)/g;

const mostRendered = 2_000;
/** A year for comparison, plus the current month. */
const keptDays = 396;
/** Per day. */
const mostSearches = 5_000;

const words = z.string().trim().min(1).max(20_000);
const question = z.object({ id: z.string(), question: words, answer: words, popular: z.boolean() });
const topic = z.object({ id: z.string(), name: z.string(), href: z.string().optional(), questions: z.array(question) });
const helpContent = z.object({ categories: z.array(topic.extend({ topics: z.array(topic) })).min(1) });

export function createHelp({ db, pack, content, sanitise, now }: HelpParts): Help {
  const today = () => calendarDay(now(), pack.timeZone);
  const lists = new WeakMap<object, Faq[]>();
  const rendered = new Map<string, string>();
  const known = new Set(pack.languages.flatMap(({ code }) => idsOf(readHelp(pack.code, code))));

  function html(markdown: string): string {
    const kept = rendered.get(markdown);
    if (kept !== undefined) return kept;
    if (rendered.size > mostRendered) rendered.clear();
    const made = sanitise(marked.parse(markdown, { async: false }));
    rendered.set(markdown, made);
    return made;
  }

  function faqsOf(help: HelpContent, language: PackLanguage): Faq[] {
    const facts = helpFacts(pack, language);
    const marks = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, asMarkdown(fact)]));
    const fill = (text: string) => fillFacts(text, facts);
    const answerOf = (markdown: string) => html(fillFacts(inLanguage(markdown, language), marks));
    const parts = help.categories.flatMap((category) => [
      { topic: category as HelpTopic, parent: null },
      ...category.topics.map((inner) => ({ topic: inner, parent: category })),
    ]);
    return parts.flatMap(({ topic, parent }) => {
      const place = {
        category: fill(topic.name),
        categoryId: topic.id,
        ...(parent ? { parentCategory: fill(parent.name), parentCategoryId: parent.id } : {}),
      };
      const asked = topic.questions.map((one) => ({ ...place, ...asFaq(one, fill, answerOf) }));
      if (!topic.href) return asked;
      const elsewhere = { question: place.category, answer: '', questionId: topic.id, href: fill(topic.href) };
      return [{ ...place, ...elsewhere, countLikePercentage: 0, popular: 'false' as const }, ...asked];
    });
  }

  /** Uses the active package. If it is invalid, falls back to the pack's own files. */
  async function listIn(language: PackLanguage, activePackage = content.activePackage): Promise<Faq[]> {
    const body = await activePackage(`${language.prefix}/faq`);
    const kept = lists.get(body as object);
    if (kept) return kept;
    const parsed = helpContent.safeParse(body);
    const list = faqsOf(parsed.success ? (parsed.data as HelpContent) : readHelp(pack.code, language.code), language);
    if (parsed.success) lists.set(body as object, list);
    // Drafts cannot be voted on.
    if (activePackage === content.activePackage) for (const { questionId } of list) known.add(questionId);
    return list;
  }

  /** If the database is down, answers are served without percentages. */
  async function scores(): Promise<Map<string, number>> {
    const found = await findScores(db).catch(() => []);
    return new Map(found.map((score) => [score.question_id, percentage(score)]));
  }

  async function scoreOf(questionId: string): Promise<VoteResult> {
    if (!known.has(questionId)) throw new PortalError('questionUnknown', { field: 'questionId' });
    return { questionId, countLikePercentage: (await scores()).get(questionId) ?? 0 };
  }

  return {
    async faqs(locale, questionId) {
      const language = pack.languages.find((one) => one.locale === locale) ?? pack.languages[0];
      if (!language) return [];
      const [list, percentages] = await Promise.all([listIn(language), scores()]);
      const wanted = questionId === undefined ? list : list.filter((faq) => faq.questionId === questionId);
      return wanted.map((faq) => ({ ...faq, countLikePercentage: percentages.get(faq.questionId) ?? 0 }));
    },

    async vote({ questionId, liked, voter, language }) {
      if (!known.has(questionId)) throw new PortalError('questionUnknown', { field: 'questionId' });
      const stored = await insertVote(db, { questionId, voter, liked, language, day: today(), at: now() });
      if (!stored) throw new PortalError('alreadyVoted');
      return scoreOf(questionId);
    },

    score: scoreOf,

    async faqsOf(locale, activePackage) {
      const language = pack.languages.find((one) => one.locale === locale) ?? pack.languages[0];
      return language ? listIn(language, activePackage) : [];
    },

    votes: async () =>
      Object.fromEntries(
        (await findScores(db)).map(({ question_id, likes, votes }) => [question_id, { likes, votes }]),
      ),

    async searchedInVain({ text, language, visit, spend }) {
      const words = searchedWords(text);
      if (words === null) return;
      const day = today();
      const visitor = personalData(db).pseudonym(`help search ${day} ${visit}`);
      const search = { day, language, text: words, visitor };
      if ((await hasSearched(db, search)) || !(await spend(words))) return;
      await insertSearch(db, { ...search, at: now() }, mostSearches);
    },

    votesByDay: (range) => votesByDay(db, range),
    vainSearches: (range) => searchesOf(db, range, leastVisits),

    async deleteExpired() {
      await forgetVoters(db, endedBefore(periods.help_votes, now()));
      await forgetVoteDays(db, dayPlus(today(), -keptDays));
      await forgetSearches(db, endedBefore(periods.help_searches, now()));
    },
  };
}

type Fill = (text: string) => string;

function asFaq({ id, question, answer, popular }: HelpQuestion, fill: Fill, answerOf: Fill) {
  return {
    question: fill(question),
    answer: answerOf(answer),
    questionId: id,
    countLikePercentage: 0,
    popular: popular ? ('true' as const) : ('false' as const),
  };
}

const inLanguage = (markdown: string, language: PackLanguage): string =>
  markdown.replace(ownLink, (_whole, path: string) => `](${withPrefix(path, language)})`);

function idsOf({ categories }: HelpContent): string[] {
  return categories
    .flatMap((category) => [category, ...category.topics])
    .flatMap(({ questions }) => questions.map(({ id }) => id));
}

const percentage = ({ likes, votes }: Score): number => (votes === 0 ? 0 : Math.round((100 * likes) / votes));
