import { parseSync, Visitor } from 'oxc-parser';

/** Functions of both runners whose first argument is the title of a test or group. */
const starters = new Set(['test', 'it', 'describe']);
/** Placeholders that a runner fills in at run time: `%s`, `$name`, `${value}`. */
const filledIn = /%[sdifjoO#$%]|\$\{[^}]*\}|\$[\w.]+/;

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

export interface Title {
  text: string;
  line: number;
  /** Titles of the enclosing groups, outermost first. */
  groups: string[];
  isGroup: boolean;
}

/** The titles of a file's tests and groups. */
export function titlesIn(path: string, source: string): Title[] {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const titles: Title[] = [];
  const open: { text: string; end: number }[] = [];
  new Visitor({
    CallExpression: (node) => {
      const starter = starterOf(node.callee as unknown as Node);
      const text = textOf(node.arguments[0] as unknown as Node | undefined, source);
      if (!starter || text === null) return;
      while ((open.at(-1)?.end ?? node.end) < node.start) open.pop();
      const groups = open.map((group) => group.text);
      const line = source.slice(0, node.arguments[0]?.start).split('\n').length;
      titles.push({ text, line, groups, isGroup: starter === 'describe' });
      if (starter === 'describe') open.push({ text, end: node.end });
    },
  }).visit(program);
  return titles;
}

/** Every test of a file as a list of titles: its groups first, then its own. */
export const testsIn = (path: string, source: string): string[][] =>
  titlesIn(path, source)
    .filter(({ isGroup }) => !isGroup)
    .map(({ groups, text }) => [...groups, text]);

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a title contains the words, ignoring case; PRE-12 does not contain PRE-1. */
export const isInTitle = (words: string, titles: string[]): boolean =>
  new RegExp(escaped(words) + (/\d$/.test(words) ? '(?!\\d)' : ''), 'i').test(titles.join(' '));

/** A pattern that matches the test at run time, whatever fills its placeholders and however the runner joins titles. */
export const patternOf = (titles: string[]): string =>
  titles.map((title) => title.split(new RegExp(filledIn, 'g')).map(escaped).join('.*')).join(' (?:> )?');

/** Whether a callee such as `test`, `describe.each(…)`, `test.describe` or `test.skipIf(…)` starts a test or a group. */
function starterOf(callee: Node): 'test' | 'describe' | null {
  if (callee.type === 'Identifier') {
    const name = String(callee.name);
    return starters.has(name) ? (name === 'describe' ? 'describe' : 'test') : null;
  }
  if (callee.type === 'CallExpression') return starterOf(callee.callee as Node);
  if (callee.type === 'TaggedTemplateExpression') return starterOf(callee.tag as Node);
  if (callee.type !== 'MemberExpression') return null;
  const isGroup = (callee.property as Node).name === 'describe';
  return isGroup ? 'describe' : starterOf(callee.object as Node);
}

function textOf(node: Node | undefined, source: string): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? source.slice(node.start + 1, node.end - 1) : null;
}
