import type { Prose } from '@portal/operators/content.ts';
import { marked } from 'marked';
import { sanitise } from './sanitise.ts';

const isProse = (body: object): body is Prose => 'markdown' in body && 'title' in body;

/** Content as it may be shown: prose becomes HTML, and HTML wherever it stands loses what is not on the list. */
export function cleanPackage(body: unknown): unknown {
  if (typeof body === 'string') return body.includes('<') ? sanitise(body) : body;
  if (Array.isArray(body)) return body.map(cleanPackage);
  if (typeof body !== 'object' || body === null) return body;
  if (isProse(body)) return { title: body.title, html: sanitise(marked.parse(body.markdown, { async: false })) };
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, cleanPackage(value)]));
}
