import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { identifier, languageHeaders, text, truth } from './fields.ts';

const faq = z.object({
  category: z.string(),
  categoryId: z.string().describe('The same in every language.'),
  parentCategory: z.string().optional(),
  parentCategoryId: z.string().optional(),
  question: z.string(),
  answer: z.string().describe('Sanitised HTML.'),
  questionId: z.string(),
  countLikePercentage: z.int().min(0).max(100),
  href: z.string().optional(),
  popular: z.enum(['true', 'false']),
});

const opco = text(8);
const voteInput = z.object({ questionId: identifier(64), isLike: truth, opco });
const voteResult = z.object({ questionId: z.string(), countLikePercentage: z.int().min(0).max(100) });

export const contentCalls = {
  activePackage: defineCall({
    summary: 'The content of a page',
    tags: ['content'],
    query: z.object({
      opco,
      pageUrl: z
        .string()
        .min(1)
        .max(120)
        .regex(/^[A-Za-z0-9/_-]+$/),
    }),
    headers: languageHeaders,
    result: z.object({ packageHtml: z.string().describe('JSON as text.') }),
    errors: ['notFound'],
    access: { limit: 'read', proof: 'none' },
  }),
  faqs: defineCall({
    summary: 'Questions and answers of the help centre',
    tags: ['content'],
    query: z.object({ opco, questionId: identifier(64).optional() }),
    headers: languageHeaders,
    result: z.array(faq),
    errors: ['notFound'],
    access: { limit: 'read', proof: 'none' },
  }),
  vote: defineCall({
    summary: 'Say whether an answer helped',
    tags: ['content'],
    body: voteInput,
    result: voteResult,
    errors: ['notFound', 'alreadyVoted'],
    access: { limit: 'write', proof: 'none' },
  }),
  voteByLink: defineCall({
    summary: 'Say whether an answer helped, by an address of the same site; from elsewhere nothing is recorded',
    tags: ['content'],
    query: voteInput,
    result: voteResult,
    errors: ['notFound', 'alreadyVoted'],
    access: { limit: 'write', proof: 'none' },
  }),
};
