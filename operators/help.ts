import { existsSync, readFileSync } from 'node:fs';
import { packFolder } from './pack-folder.ts';

export interface HelpQuestion {
  id: string;
  question: string;
  /** Markdown, with the names of facts in braces. */
  answer: string;
  popular: boolean;
}

export interface HelpTopic {
  id: string;
  name: string;
  /** A page of the portal that stands in for questions. */
  href?: string;
  questions: HelpQuestion[];
}

export interface HelpCategory extends HelpTopic {
  topics: HelpTopic[];
}

export interface HelpContent {
  categories: HelpCategory[];
}

interface Structure {
  categories: string[];
  popular: string[];
  redirects: Record<string, string>;
}

export const hasHelp = (pack: string): boolean => existsSync(new URL('help/topics.json', packFolder(pack)));

/**
 * The help centre as its writers keep it: one Markdown file a category and language. `#` opens a topic, `##` asks a
 * question, and `{#name}` after either is its lasting name in addresses, the same in every language.
 */
export function readHelp(pack: string, language: string): HelpContent {
  const folder = new URL('help/', packFolder(pack));
  const structure: Structure = JSON.parse(readFileSync(new URL('topics.json', folder), 'utf8'));
  const categories = structure.categories.map((id) => {
    const source = readFileSync(new URL(`${language.toLowerCase()}/${id}.md`, folder), 'utf8');
    return readCategory(id, source, structure);
  });
  return { categories };
}

const headed = /^(#{1,2}) (.+?) \{#([a-z0-9-]+)\}$/;

export function readCategory(id: string, source: string, structure: Omit<Structure, 'categories'>): HelpCategory {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const name = /^name: (.+)$/m.exec(front)?.[1];
  if (!name) throw new Error(`The help category ${id} has no name.`);
  const category: HelpCategory = { id, name, questions: [], topics: [], ...leadingTo(id) };
  let questions = category.questions;
  let current: HelpQuestion | null = null;
  for (const line of body.split('\n')) {
    const [, level, title = '', anchor = ''] = headed.exec(line) ?? [];
    if (!level && /^#{1,2} /.test(line)) throw new Error(`In the help category ${id}, "${line}" has no {#name}.`);
    if (level === '#') {
      const topic: HelpTopic = { id: anchor, name: title, questions: [], ...leadingTo(anchor) };
      category.topics.push(topic);
      questions = topic.questions;
      current = null;
    } else if (level === '##') {
      current = { id: anchor, question: title, answer: '', popular: structure.popular.includes(anchor) };
      questions.push(current);
    } else if (current) current.answer += `${line}\n`;
    else if (line.trim()) throw new Error(`In the help category ${id}, "${line}" belongs to no question.`);
  }
  for (const { questions: all } of [category, ...category.topics])
    for (const question of all) question.answer = question.answer.trim();
  return category;

  function leadingTo(one: string): { href?: string } {
    const href = structure.redirects[one];
    return href ? { href } : {};
  }
}
