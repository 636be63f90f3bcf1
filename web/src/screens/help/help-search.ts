import MiniSearch from 'minisearch';
import { type Entry, entryOf, type Faq } from './help-model.ts';

export type HelpSearch = (text: string) => Entry[];

interface Searched {
  id: string;
  question: string;
  place: string;
  answer: string;
  otherQuestion: string;
  otherAnswer: string;
}

const resultsMost = 10;

/** Stop words. */
const idle = new Set(
  (
    'the a an is are was it its to of in on and or my your i me we you do does did how what why where when which can may ' +
    'have has had for from with not no be this that there here if so ' +
    'le la les l un une des du de d et ou mon ma mes votre vos je j vous nous est sont ai a au aux en dans sur pour par ' +
    'avec que qu quoi comment pourquoi quand quel quelle ne n pas ce cette c se s il elle y il me m puis faire ' +
    'ny ity io izany aho ianao dia fa no ve sy na ho amin amiko ao eo ko inona ahoana rahoviana azo atao tsy misy raha'
  ).split(' '),
);

/** Synonyms: words that people use where the answers use another one. */
const otherWords: Record<string, string> = {
  agence: 'boutique',
  ambony: 'avo',
  apetraka: 'hapetraka',
  apn: 'settings',
  arnaque: 'fraude',
  baiko: 'kaomandy',
  borrow: 'loan',
  charged: 'paid',
  debite: 'parti',
  debited: 'taken',
  echoue: 'failed',
  emprunt: 'prets',
  emprunter: 'prets',
  faux: 'fake',
  gone: 'taken',
  halatra: 'nangalatra',
  lost: 'lost taken',
  megas: 'forfait',
  nomerao: 'laharana',
  nomeraoko: 'laharako',
  otp: 'code',
  password: 'password pin',
  perdu: 'perdu parti',
  prelevement: 'paiement',
  puce: 'sim',
  received: 'arrive',
  recieved: 'arrive',
  recois: 'arrive',
  recu: 'recu arrive',
  sandoka: 'fake',
  scam: 'fraud',
  signal: 'network',
  topup: 'recharge',
  unblock: 'blocked',
  very: 'very lasa',
};

/** Folds accents, ligatures and case. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae');
}

/** Folded text is plain Latin, which splits into words several times faster. */
function tokenize(text: string): string[] {
  const folded = fold(text)
    .replaceAll('wi-fi', 'wifi')
    .replaceAll(/\btop[- ]up/g, 'topup')
    // Malagasy compounds are often written without their hyphen.
    .replaceAll(/([a-z]{3,})-([a-z]{3,})/g, '$1-$2 $1$2');
  return folded.split(/[^\p{ASCII}’–—«»…]/u.test(folded) ? /[^\p{L}\p{N}*#]+/u : /[^a-z0-9*#]+/);
}
/** Stems: `arrivée`, `arrivées` and `arrive` are one word; so are `bill` and `bills`. */
const ending = /^(.{4,}?)(?:ees|ee|es|e|s)$/;
const keep = (term: string): string | null => (term.length > 1 && !idle.has(term) ? term.replace(ending, '$1') : null);
/** The word as typed, and its synonyms. */
const asked = (term: string): string[] =>
  (Object.hasOwn(otherWords, term) ? (otherWords[term] ?? '') : term).split(' ').flatMap((word) => keep(word) ?? []);
const shortestWithSlip = 4;
/** The number of typos allowed: none in a short word, where one makes another word. */
const slips = (term: string): number | false => (term.length > 6 ? 2 : term.length >= shortestWithSlip && 1);
const plain = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/&\w+;|&#\d+;/g, ' ');

/** Prefixes of all indexed words. A typed prefix of a word is correct so far, and needs no fuzzy match. */
class Beginnings {
  readonly #words = new Set<string>();
  readonly #beginnings = new Set<string>();

  add(word: string): void {
    if (this.#words.has(word)) return;
    this.#words.add(word);
    for (let length = shortestWithSlip; length <= word.length; length += 1) this.#beginnings.add(word.slice(0, length));
  }

  has(word: string): boolean {
    return this.#beginnings.has(word);
  }
}

/** The indexed words, or prefixes of them, that a swap of two neighbouring letters gives; otherwise the word itself. */
function unswapped(typed: string, known: Beginnings, word: string): string[] {
  if (word.length < shortestWithSlip) return [word];
  const found = new Set<string>();
  for (let at = 0; at < typed.length - 1; at += 1) {
    const swapped = keep(typed.slice(0, at) + typed[at + 1] + typed[at] + typed.slice(at + 2));
    if (swapped && known.has(swapped)) found.add(swapped);
  }
  return found.size > 0 ? [...found] : [word];
}

/** Indexes the questions in the reader's language and in the others, because people mix them: `credit tsy tonga`. */
function prepare(lists: readonly (readonly Faq[])[]) {
  const [shown = [], ...others] = lists;
  const byId = new Map(shown.map((faq) => [faq.questionId, faq]));
  const elsewhere = new Map<string, Faq[]>();
  for (const faq of others.flat()) elsewhere.set(faq.questionId, [...(elsewhere.get(faq.questionId) ?? []), faq]);
  const beginnings = new Beginnings();

  const index = new MiniSearch<Searched>({
    // A question's URL contains a few English words, which people often type.
    fields: ['id', 'question', 'place', 'answer', 'otherQuestion', 'otherAnswer'],
    tokenize,
    processTerm(word) {
      const term = keep(word);
      if (term) beginnings.add(term);
      return term;
    },
    searchOptions: {
      // Swapped letters are the most common typo, and count as two by edit distance.
      processTerm: (term) =>
        asked(term).flatMap((word) => (beginnings.has(word) ? word : unswapped(term, beginnings, word))),
      boost: { id: 2, question: 4, place: 1.5, otherQuestion: 3, otherAnswer: 0.7 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (beginnings.has(term) ? false : slips(term)),
      weights: { fuzzy: 0.35, prefix: 0.6 },
      combineWith: 'OR',
      // Of two equal matches the more popular one comes first.
      boostDocument: (id) => (byId.get(id)?.popular === 'true' ? 1.4 : 1),
    },
  });
  const searched = (faq: Faq): Searched => {
    const same = elsewhere.get(faq.questionId) ?? [];
    return {
      id: faq.questionId,
      question: faq.question,
      place: `${faq.parentCategory ?? ''} ${faq.category}`,
      answer: plain(faq.answer),
      otherQuestion: same.map((one) => `${one.question} ${one.category}`).join(' '),
      otherAnswer: same.map((one) => plain(one.answer)).join(' '),
    };
  };
  let last: Entry[] = [];
  const search: HelpSearch = (text) => {
    const found = index.search(text).slice(0, resultsMost);
    // Returns the identical list when the results are the same, so that nothing renders again.
    if (found.length === last.length && found.every(({ id }, place) => last[place]?.id === id)) return last;
    last = found
      .flatMap(({ id }) => byId.get(id) ?? [])
      .map((faq) => ({ ...entryOf(faq), path: faq.href ?? entryOf(faq).path }));
    return last;
  };
  return { shown, search, add: (faqs: readonly Faq[]) => index.addAll(faqs.map(searched)) };
}

/** Results are shown in the language of the first list. */
export function buildSearch(lists: readonly (readonly Faq[])[]): HelpSearch {
  const { shown, search, add } = prepare(lists);
  add(shown);
  return search;
}

const sliceSize = 6;

/** The same in slices, so that input is handled in between; null when cancelled. */
export async function buildSearchInSlices(
  lists: readonly (readonly Faq[])[],
  signal: AbortSignal,
): Promise<HelpSearch | null> {
  const { shown, search, add } = prepare(lists);
  for (let from = 0; from < shown.length; from += sliceSize) {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
    add(shown.slice(from, from + sliceSize));
  }
  return search;
}
