import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from './en/translation.json' with { type: 'json' };
import fr from './fr/translation.json' with { type: 'json' };
import mg from './mg/translation.json' with { type: 'json' };

test.each([
  ['en', en.reasons, /\b(go(es|ing)?|given|comes) back\b/],
  ['fr', fr.reasons, /\brend(ue?s?|re)\b|rembours/],
  ['mg', mg.reasons, /averina/],
])(
  'MNY-5 a reason (%s) says why, and never whether money goes back or is back: the state says that',
  (_, reasons, back) => {
    for (const [reason, words] of Object.entries(reasons)) expect(words, reason).not.toMatch(back);
  },
);

const textsOf = (node: object): string[] =>
  Object.values(node).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));
const words: Record<string, string[]> = { fr: textsOf(fr), mg: textsOf(mg) };

/** Every text for customers in a language, help included, without link targets and placeholders. */
function read(language: string): string[] {
  const folder = join(import.meta.dirname, language, 'help');
  const help = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...(words[language] ?? []), ...help].map((text) => text.replaceAll(/\{[^}]*\}|\]\([^)]*\)/g, ''));
}

test.each([
  ['fr', 'crédit', /\bairtime\b/i],
  ['fr', 'forfait', /\bbundles?\b/i],
  ['fr', 'porte-monnaie mobile', /\b(compte mobile money|wallet)\b/i],
  ['fr', 'Go', /\d\s*GB\b/],
  ['mg', 'fahana', /\bairtime\b|\bcrédit\b/i],
  ['mg', 'tolotra', /\b(bundles?|forfaits?)\b/i],
  ['mg', 'poketra finday', /\bkaonty mobile money\b|\bwallet\b/i],
  ['mg', 'faktiora', /\bfacture\b/i],
  ['mg', 'GB', /\bGo\b/],
  ['mg', 'finday', /ity telefaonina ity/],
])('%s: one word for one thing, and it is %s', (language, _, other) => {
  expect(read(language).filter((text) => other.test(text))).toEqual([]);
});

test('English texts have typographic apostrophes', () => {
  const { notices: _, ...onScreen } = en;
  expect(textsOf(onScreen).filter((text) => text.includes("'"))).toEqual([]);
});

/** The French of every operator: shared texts, its own, help and pages. SMS use another alphabet (`notices`). */
function frenchTexts(): { at: string; text: string }[] {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)fr\/.*\.(md|json)$/.test(name.replaceAll('\\', '/')),
  );
  return files.flatMap((at) => {
    const content = readFileSync(join(root, at), 'utf8');
    if (at.endsWith('.md')) return content.split('\n').map((text) => ({ at, text }));
    const { notices: _, ...onScreen } = JSON.parse(content);
    return textsOf(onScreen).map((text) => ({ at, text }));
  });
}

test.each([
  ['a narrow space that does not break before ? ! ; :', /(?:[^\s]|[ \u00a0])[?!;:](?=[\s*_»)]|$)/],
  ['and inside of « »', /«(?!\u202f)|(?<!\u202f)»/],
  ['a dash between words is no hyphen', /\s-\s(?!\[)|—/],
  ['no hyphen stands apart from its word', /\p{L}- \p{L}|\p{L} -\p{L}/u],
  [
    'words that have a hyphen',
    /\b(rendez vous|ci (dessous|dessus|joint|après|contre)|au (delà|dessus|dessous)|là bas|(vous|nous|lui|elle|eux) mêmes?|c’est à dire|porte monnaie|week end|est ce que|y a t il|(dites|écrivez|appelez|contactez) nous|répondez y|celui ci|celle ci|ceux ci|sous traitant)\b/iu,
  ],
])('French: %s', (_, wrong) => {
  const words = frenchTexts()
    // Without a help file's field names, link targets and placeholders.
    .map(({ at, text }) => ({ at, text: text.replaceAll(/^\w+: |\{[^}]*\}|\]\([^)]*\)/g, 'x ') }))
    .filter(({ text }) => wrong.test(text));
  expect(words).toEqual([]);
});
