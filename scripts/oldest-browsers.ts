/** The oldest browsers whose forms must work. They run no script of ours, see `runsScript` in web/src/app/script-start.ts. */
export const oldest = ['chrome80', 'safari14', 'firefox78'];
/** The oldest that the same line lets run our scripts: those with `Object.hasOwn` and dialogs. */
export const oldestWithScript = ['chrome93', 'safari15.4', 'firefox98'];

/** What one of the oldest cannot read and our styles say all the same, with why nobody misses it there. */
export const unread: Record<string, { pattern: RegExp; why: string }> = {
  ':has()': { pattern: /:has\(/, why: 'marks what is chosen or disabled, which the field itself shows as well' },
  ':is()': { pattern: /:is\(/, why: 'sizes and colours of words inside a card' },
  ':focus-visible': { pattern: /:focus-visible/, why: 'their own ring stays' },
  ':modal': { pattern: /:modal/, why: 'dialogs are opened by script' },
  inset: { pattern: /^inset:/, why: 'places what lies over a page: skip link, toasts, dialogs, lists of script' },
  'gap in flex': { pattern: /^(row-|column-)?gap:/, why: 'rows stand closer together' },
  dvh: { pattern: /\ddvh/, why: 'the page is as high as its words' },
  'accent-color': { pattern: /^accent-color:/, why: 'a tick has the system’s colour' },
  'overflow-wrap:anywhere': { pattern: /^overflow-wrap:anywhere/, why: 'a long word may be cut' },
  'scrollbar-gutter': { pattern: /^scrollbar-gutter:/, why: 'the page moves by a scroll bar’s width' },
  'text-wrap': { pattern: /^text-wrap/, why: 'lines of a heading differ in length' },
  '*-inline, *-block': { pattern: /^(margin|padding|inset)-(inline|block):/, why: 'space at the sides' },
};

/** What would take the style of a whole page or of its parts away there, and has another way to be said. */
const refused: Record<string, RegExp> = {
  '@layer': /@layer\b/,
  '@container': /@container\b/,
  nesting: /[{;]\s*&/,
  ':where()': /:where\(/,
  'ranges in @media': /@media[^{]*[<>]/,
  'color-mix()': /color-mix\(/,
  'oklch()': /\bok(lch|lab)\(/,
  'light-dark()': /light-dark\(/,
  'aspect-ratio': /[{;]aspect-ratio:/,
  'single transforms': /[{;](translate|rotate|scale):/,
  subgrid: /subgrid/,
};

interface Rule {
  selector: string;
  body: string;
}

/** Rules and groups of a sheet, one level deep, in their order. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  let open = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') {
      if (depth === 0) open = at;
      depth += 1;
    } else if (css[at] === '}') {
      depth -= 1;
      if (depth > 0) continue;
      rules.push({ selector: css.slice(start, open).trim(), body: css.slice(open + 1, at) });
      start = at + 1;
    }
  }
  return rules;
}

const isGroup = ({ selector }: Rule) => /^@(media|supports)/.test(selector);
const isUnreadSelector = (selector: string) => /:has\(|:is\(|:focus-visible|:modal/.test(selector);
const patterns = Object.values(unread).map(({ pattern }) => pattern);
const isGrid = (body: string) => /display:(inline-)?grid/.test(body);

/** The sheet as the oldest browsers read it: a rule with a selector they do not know is gone, and so is each such declaration. */
export function asOldestReads(css: string): string {
  return rulesOf(css)
    .map((rule) => {
      if (isGroup(rule)) return `${rule.selector}{${asOldestReads(rule.body)}}`;
      if (isUnreadSelector(rule.selector)) return '';
      const read = rule.body
        .split(';')
        .filter(
          (one) => (isGrid(rule.body) && /gap:/.test(one)) || !patterns.some((pattern) => pattern.test(one.trim())),
        );
      return `${rule.selector}{${read.join(';')}}`;
    })
    .join('');
}

/** What stands in the way of the oldest browsers, in words. */
export function styleProblems(css: string): string[] {
  const found = Object.entries(refused).filter(([, pattern]) => pattern.test(css));
  const shared = rulesOf(css)
    .flatMap((rule) => (isGroup(rule) ? rulesOf(rule.body) : [rule]))
    .map(({ selector }) => selector)
    .filter((selector) => {
      const parts = selector
        .replaceAll(/\([^()]*(\([^()]*\)[^()]*)*\)/g, (inside) => inside.replaceAll(',', ' '))
        .split(',');
      return parts.some(isUnreadSelector) && !parts.every(isUnreadSelector);
    });
  return [
    ...found.map(([name]) => `${name} is not read by ${oldest.join(', ')}`),
    ...shared.map((selector) => `${selector}: what is not read takes the rest of the rule with it`),
  ];
}
