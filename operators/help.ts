import { existsSync, readFileSync } from 'node:fs';
import { packFolder, textsFolder } from './pack-folder.ts';

export interface HelpQuestion {
  id: string;
  question: string;
  /** Markdown, with names of facts in braces. */
  answer: string;
  popular: boolean;
}

export interface HelpTopic {
  id: string;
  name: string;
  /** A page of the portal that replaces the questions. */
  href?: string;
  questions: HelpQuestion[];
}

export interface HelpCategory extends HelpTopic {
  topics: HelpTopic[];
}

export interface HelpContent {
  categories: HelpCategory[];
}

/** The categories and their order; a pack adds to those that all operators share. */
interface Structure {
  categories: string[];
  popular: string[];
  redirects: Record<string, string>;
}

interface OwnStructure extends Partial<Structure> {
  /** Shared topics and questions that do not apply to this operator. */
  without?: string[];
}

const isFile = (file: URL) => existsSync(file);
const readText = (file: URL) => readFileSync(file, 'utf8');

/**
 * The help centre's source: one Markdown file per category and language. `#` starts a topic, `##` a question, and
 * `{#name}` after either is its permanent name in URLs, the same in every language. Answers that all operators share
 * are in `texts/`; a pack's own file overrides and adds.
 */
export function readHelp(pack: string, language: string): HelpContent {
  const ownFolder = new URL('help/', packFolder(pack));
  const ownFile = new URL('topics.json', ownFolder);
  const shared: Structure = JSON.parse(readText(new URL('help.json', textsFolder())));
  const own: OwnStructure = isFile(ownFile) ? JSON.parse(readText(ownFile)) : {};
  const popular = new Set([...shared.popular, ...(own.popular ?? [])]);
  const redirects = { ...shared.redirects, ...own.redirects };
  const without = new Set(own.without);

  const questionOf = ({ id, title, answer }: Asked): HelpQuestion => ({
    ...{ id, question: title, answer: answer.trim(), popular: popular.has(id) },
  });
  const topicOf = ({ id, name, asked }: Part): HelpTopic => ({
    ...{ id, name, questions: asked.filter((one) => !without.has(one.id)).map(questionOf) },
    ...(redirects[id] ? { href: redirects[id] } : {}),
  });
  const categories = (own.categories ?? shared.categories).map((id) => {
    const files = [
      new URL(`help/${id}.md`, textsFolder(language)),
      new URL(`${language.toLowerCase()}/${id}.md`, ownFolder),
    ];
    const parts = files.filter(isFile).map((file) => partsOf(id, readText(file)));
    const [first, ...topics] = parts.reduce(joined, []);
    if (!first?.name)
      throw new Error(
        `The help category ${id} has no name in ${language}: neither in operators/texts nor in the pack.`,
      );
    const kept = topics.filter((topic) => !without.has(topic.id)).map(topicOf);
    return { ...topicOf(first), topics: kept.filter(({ href, questions }) => href || questions.length > 0) };
  });
  return { categories };
}

interface Asked {
  id: string;
  title: string;
  answer: string;
}

/** A category with its questions outside of topics, or a topic. */
interface Part {
  id: string;
  name: string;
  asked: Asked[];
}

/** An item with an existing name replaces it; new items are appended. */
function joined(shared: Part[], own: Part[]): Part[] {
  return replaced(shared, own, (before, after) => ({
    ...{ id: before.id, name: after.name || before.name },
    asked: replaced(before.asked, after.asked, (_, later) => later),
  }));
}

function replaced<T extends { id: string }>(before: T[], after: T[], both: (before: T, after: T) => T): T[] {
  const found = new Map(after.map((one) => [one.id, one]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((one) => {
      const later = found.get(one.id);
      return later ? both(one, later) : one;
    }),
    ...after.filter(({ id }) => !known.has(id)),
  ];
}

const headed = /^(#{1,2}) (.+?) \{#([a-z0-9-]+)\}$/;

/** The category itself, then its topics. */
function partsOf(id: string, source: string): Part[] {
  const [, front = '', body = source] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  let part: Part = { id, name: /^name: (.+)$/m.exec(front)?.[1] ?? '', asked: [] };
  const parts = [part];
  let current: Asked | null = null;
  for (const line of body.split('\n')) {
    const [, level, title = '', anchor = ''] = headed.exec(line) ?? [];
    if (!level && /^#{1,2} /.test(line)) throw new Error(`In the help category ${id}, "${line}" has no {#name}.`);
    if (level === '#') {
      part = { id: anchor, name: title, asked: [] };
      parts.push(part);
      current = null;
    } else if (level === '##') {
      current = { id: anchor, title, answer: '' };
      part.asked.push(current);
    } else if (current) current.answer += `${line}\n`;
    else if (line.trim()) throw new Error(`In the help category ${id}, "${line}" belongs to no question.`);
  }
  return parts;
}
