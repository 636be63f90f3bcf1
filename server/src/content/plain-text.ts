import { marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { sanitise, wordless } from './sanitise.ts';

/** Private-use characters replace `<`, `>` and `&` in text while tags are parsed. */
const stand = { '<': '\uE000', '>': '\uE001', '&': '\uE002' } as const;
type Sign = keyof typeof stand;

const hidden = (text: string): string => text.replace(/[<>&]/g, (sign) => stand[sign as Sign]);
const shown = (text: string): string =>
  (Object.keys(stand) as Sign[]).reduce((all, sign) => all.replaceAll(stand[sign], sign), text);

/** A `<` that starts no tag: `<3`, `a < b`, `x<y`. */
const loneSign = /<(?!\/?[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*>|\/?[a-z][^<>]*>|!--[\s\S]*?-->|[!?][^<>]*>)/gi;

/** Undoes the sanitiser's escaping of text. */
const decoded = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

interface Reading {
  clean(html: string): string;
  hideCode?(text: string): string;
}

/** Removes forbidden tags and leaves everything else as it was typed. */
function withoutTags(text: string, { clean, hideCode = (all) => all }: Reading): string {
  if (!text.includes('<')) return text;
  let before = text.replace(/[\uE000-\uE002]/g, '');
  // Removing a tag can join the parts around it into another one.
  for (let round = 0; round < 10; round += 1) {
    const masked = hideCode(before).replaceAll('&', stand['&']).replace(loneSign, stand['<']);
    const after = shown(decoded(clean(masked)));
    if (after === before) return after;
    before = after;
  }
  return before.replaceAll('<', '');
}

const withoutAnyTag = (html: string): string =>
  sanitizeHtml(html, { allowedTags: [], nonTextTags: [...wordless], nestingLimit: 20 });

/** Text that pages show unformatted: no tags, but every other `<` and `&` stays. */
export const plainText = (text: string): string => withoutTags(text, { clean: withoutAnyTag });

/** HTML for storage. It is sanitised again when it is rendered. */
export const storedHtml = (html: string): string => withoutTags(html, { clean: sanitise });

/** An autolink in angle brackets, as in Markdown. */
const autolink = /<(?=(?:(?:https?|mailto|tel):[^\s<>]+|[^\s<>@/]+@[^\s<>]+)>)/gi;

/** Code may contain anything that looks like a tag. */
function withCodeHidden(markdown: string): string {
  let done = '';
  let rest = markdown;
  const hide = (line: string) => {
    const at = rest.indexOf(line);
    if (at < 0) return;
    done += rest.slice(0, at) + hidden(line);
    rest = rest.slice(at + line.length);
  };
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type !== 'code' && token.type !== 'codespan') return;
    // In a list or quotation, the block's indentation is removed from the token.
    for (const line of String(token.raw).split('\n')) if (/[<>&]/.test(line)) hide(line.trim());
  });
  return (done + rest).replace(autolink, stand['<']);
}

/** Markdown for storage. The HTML rendered from it is sanitised. */
export const storedMarkdown = (markdown: string): string =>
  withoutTags(markdown, { clean: sanitise, hideCode: withCodeHidden });
