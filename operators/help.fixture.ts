import { type HelpTopic, readHelp } from './help.ts';

/** As the call returns it. */
interface Faq {
  category: string;
  categoryId: string;
  parentCategory?: string;
  parentCategoryId?: string;
  question: string;
  answer: string;
  questionId: string;
  countLikePercentage: number;
  href?: string;
  popular: 'true' | 'false';
}

/** A pack's real help centre as the call returns it, except that facts stay in braces. */
export function faqsOf(pack: string, language: string): Faq[] {
  return readHelp(pack, language).categories.flatMap((category) => [
    ...faqsIn(category, {}),
    ...category.topics.flatMap((topic) =>
      faqsIn(topic, { parentCategory: category.name, parentCategoryId: category.id }),
    ),
  ]);
}

function faqsIn(topic: HelpTopic, parent: Partial<Faq>): Faq[] {
  const place = { ...parent, category: topic.name, categoryId: topic.id, countLikePercentage: 0 };
  const asked = topic.questions.map(({ id, question, answer, popular }) => ({
    ...place,
    questionId: id,
    question,
    answer,
    popular: popular ? ('true' as const) : ('false' as const),
  }));
  if (!topic.href) return asked;
  const elsewhere = { question: topic.name, questionId: topic.id, answer: '', href: topic.href };
  return [{ ...place, ...elsewhere, popular: 'false' as const }, ...asked];
}
