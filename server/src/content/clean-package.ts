import type { Prose } from '@portal/operators/content.ts';
import { marked } from 'marked';
import { sanitise } from './sanitise.ts';

export const isProse = (body: unknown): body is Prose =>
  typeof body === 'object' &&
  body !== null &&
  'title' in body &&
  'markdown' in body &&
  typeof body.markdown === 'string';

const cleanText = (text: string): string => (text.includes('<') ? sanitise(text) : text);

function each(body: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(body)) return body.map(change);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, change(value)]));
}

/** Content as it may be shown: prose becomes HTML, and HTML wherever it stands loses what is not on the list. */
export function cleanPackage(body: unknown): unknown {
  if (typeof body === 'string') return cleanText(body);
  if (isProse(body)) return { title: body.title, html: sanitise(marked.parse(body.markdown, { async: false })) };
  return each(body, cleanPackage);
}

/** Content as it is kept: cleaned too, but prose stays as its writers wrote it. */
export const storablePackage = (body: unknown): unknown =>
  typeof body === 'string' ? cleanText(body) : each(body, storablePackage);
