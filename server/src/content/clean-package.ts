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

/** Fields that are rendered as HTML: a page of prose, and the label of a checkbox. */
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

/** Content for rendering: Markdown becomes HTML, and everything is sanitised by the allowlist. */
export const cleanPackage = (body: unknown): unknown =>
  isProse(body)
    ? { title: plainText(body.title), html: sanitise(marked.parse(body.markdown, { async: false })) }
    : each(body, shownHtml);

/** Content for storage: sanitised too, but Markdown and HTML stay as they were written. */
export const storablePackage = (body: unknown): unknown => each(body, storedHtml);
