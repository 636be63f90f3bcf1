import sanitizeHtml from 'sanitize-html';

/** The allowlist for content. Everything else is removed, whoever wrote it. */
const allowed = {
  tags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['strong', 'em', 'b', 'i', 'u', 's', 'small', 'sub', 'sup', 'code', 'abbr', 'span', 'a', 'img'],
    ...['table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  attributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    abbr: ['title'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  schemes: ['https', 'http', 'mailto', 'tel'],
};

/** Removed with their text, which was never meant to be read. */
export const wordless: readonly string[] = [
  ...['script', 'style', 'noscript', 'template', 'textarea', 'select', 'option', 'title', 'xmp', 'plaintext'],
  ...['iframe', 'frame', 'frameset', 'noframes', 'noembed', 'object', 'embed', 'applet', 'svg', 'math', 'canvas'],
  ...['audio', 'video', 'head', 'meta', 'link', 'base'],
];

/** An absolute path or an https URL; never one relative to the page's scheme or folder. */
const imageSource = /^(?:https:\/\/|\/(?![/\\]))/i;
const linkTarget = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i;

/** The only sanitiser of HTML in content, for storage and for rendering. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: allowed.tags,
    allowedAttributes: allowed.attributes,
    allowedSchemes: allowed.schemes,
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: [...wordless],
    nestingLimit: 20,
    transformTags: {
      a: (tagName, { href }) => ({ tagName, attribs: href && linkTarget.test(href) ? linkOf(href) : {} }),
      img: (tagName, { src = '', ...attribs }) => ({
        tagName,
        attribs: imageSource.test(src) ? { src, ...attribs } : {},
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
}

function linkOf(href: string): Record<string, string> {
  return /^https?:/i.test(href) ? { href, rel: 'noopener noreferrer' } : { href };
}
