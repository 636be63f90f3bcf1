import type { Prose } from '@portal/operators/content.ts';
import { marked } from 'marked';
import { plainText, storedHtml, storedMarkdown } from './plain-text.ts';
import { sanitise } from './sanitise.ts';

export const isProse = (body: unknown): body is Prose =>
  typeof body === 'object' &&
  body !== null &&
  'title' in body &&
  'markdown' in body &&
  typeof body.markdown === 'string';

/** Texts that are HTML where they are shown: a page of prose, and the label of a box to tick. */
const isHtml = (key: string, within: Readonly<Record<string, unknown>>): boolean =>
  key === 'html' || (key === 'label' && within.type === 'checkbox');

export const isMarkdown = (key: string): boolean => key === 'markdown' || key === 'answer';

function each(body: unknown, html: (text: string) => string): unknown {
  if (typeof body === 'string') return plainText(body);
  if (Array.isArray(body)) return body.map((one) => each(one, html));
  if (typeof body !== 'object' || body === null) return body;
  const own = body as Record<string, unknown>;
  const cleaned = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return each(value, html);
    if (isHtml(key, own)) return html(value);
    return isMarkdown(key) ? storedMarkdown(value) : plainText(value);
  };
  return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, cleaned(key, value)]));
}

const shownHtml = (html: string): string => (html.includes('<') ? sanitise(html) : html);

/** Content as it may be shown: prose becomes HTML, and nothing stands in it that is not on the list. */
export const cleanPackage = (body: unknown): unknown =>
  isProse(body)
    ? { title: plainText(body.title), html: sanitise(marked.parse(body.markdown, { async: false })) }
    : each(body, shownHtml);

/** Content as it is kept: cleaned too, but prose and HTML stay as their writers wrote them. */
export const storablePackage = (body: unknown): unknown => each(body, storedHtml);
