import {
  type ConsoleRefusalCode,
  consoleRefusals,
  contentFaults,
  refusalParameters,
} from '@portal/contract/console/refusals.ts';
import { expect, test } from 'vitest';
import { en, type Texts } from './en.ts';
import { fr } from './fr.ts';
import { mg } from './mg.ts';

const languages: [string, Texts][] = [
  ['en', en],
  ['fr', fr],
  ['mg', mg],
];

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test.each(languages)('every refusal has its own text in %s, with all its parameters', (_language, texts) => {
  const refusals = (Object.keys(consoleRefusals) as ConsoleRefusalCode[]).map(
    (code) => [texts[`problem.${code}`], (refusalParameters as Record<string, readonly string[]>)[code] ?? []] as const,
  );
  const faults = (Object.keys(contentFaults) as (keyof typeof contentFaults)[]).map(
    (code) => [texts[`contentFault.${code}`], contentFaults[code]] as const,
  );
  for (const [text, names] of [...refusals, ...faults]) {
    expect(text.trim()).not.toBe('');
    expect(namesIn(text), text).toEqual([...names].sort());
  }
  if (texts === en) return;
  const english = new Set<string>(Object.values(en));
  for (const [text] of [...refusals, ...faults]) expect(english, text).not.toContain(text);
});
