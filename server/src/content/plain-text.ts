import { marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { sanitise, wordless } from './sanitise.ts';

/** Private letters stand for `<`, `>` and `&` that are text, while tags are looked for. */
const stand = { '<': '\uE000', '>': '\uE001', '&': '\uE002' } as const;
type Sign = keyof typeof stand;

const hidden = (text: string): string => text.replace(/[<>&]/g, (sign) => stand[sign as Sign]);
const shown = (text: string): string =>
  (Object.keys(stand) as Sign[]).reduce((all, sign) => all.replaceAll(stand[sign], sign), text);

/** A sign that begins no tag: `<3`, `a < b`, `x<y`. */
const loneSign = /<(?!\/?[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*>|\/?[a-z][^<>]*>|!--[\s\S]*?-->|[!?][^<>]*>)/gi;

/** Undoes what the sanitiser writes for signs in text. */
const decoded = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

interface Reading {
  clean(html: string): string;
  hideCode?(text: string): string;
}

/** Without the tags that may not be there, and otherwise as it was typed. */
function withoutTags(text: string, { clean, hideCode = (all) => all }: Reading): string {
  if (!text.includes('<')) return text;
  let before = text.replace(/[\uE000-\uE002]/g, '');
  // Two pieces become a tag when what stood between them is taken out.
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

/** A text that pages show as it is: no tag is left in it, and every `<` and `&` that is none stays. */
export const plainText = (text: string): string => withoutTags(text, { clean: withoutAnyTag });

/** HTML as its writer keeps it. It is sanitised once more when it is shown. */
export const storedHtml = (html: string): string => withoutTags(html, { clean: sanitise });

/** An address in angle brackets, as Markdown writes a link. */
const autolink = /<(?=(?:(?:https?|mailto|tel):[^\s<>]+|[^\s<>@/]+@[^\s<>]+)>)/gi;

/** Code is text, whatever it looks like. */
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
    // Within a list or a quotation a block has less indentation than where it was written.
    for (const line of String(token.raw).split('\n')) if (/[<>&]/.test(line)) hide(line.trim());
  });
  return (done + rest).replace(autolink, stand['<']);
}

/** Markdown as its writer keeps it. What it becomes is sanitised when it is shown. */
export const storedMarkdown = (markdown: string): string =>
  withoutTags(markdown, { clean: sanitise, hideCode: withCodeHidden });
