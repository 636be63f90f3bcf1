import { existsSync, readFileSync } from 'node:fs';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { packFolder, packName, textsFolder } from './pack-folder.ts';
import { packSchema } from './pack-schema.ts';

const record = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** All errors that make a pack unusable, each with its key and file; empty for a valid pack. */
export function packProblems(code: string, pack: unknown): string[] {
  const file = `${packName(code)}pack.ts`;
  if (!record(pack)) return [`${file} exports no "pack"`];
  const { success, data, error } = packSchema.safeParse(pack);
  if (!success)
    return error.issues.map(({ path, message: must }) => {
      const key = path.join('.');
      const value = path.reduce<unknown>((inner, name) => (record(inner) ? inner[String(name)] : undefined), pack);
      if (value === undefined) return `${file} misses "${key}", which must be ${must}`;
      return `"${key}" in ${file} must be ${must}, not ${JSON.stringify(value)?.slice(0, 60)}`;
    });
  return [...disagreements(code, data).map((problem) => `${problem} (${file})`), ...contentProblems(data)];
}

/** Values that are valid but contradict each other. */
function disagreements(code: string, pack: OperatorPack): string[] {
  const { numbering, languages, limits, amountChips, brand, methods, currency, secondCurrency, features } = pack;
  const codes = pack.catalogue.map(({ productCode }) => productCode);
  const unsaid = pack.catalogue.find(({ name, category, description, periodType }) =>
    [name, category, description, periodType ?? name].some((words) => languages.some((one) => !words[one.code])),
  );
  const isOdd = (holds: boolean, problem: string) => (holds ? [] : [problem]);
  return [
    ...isOdd(pack.code === code, `"code" is "${pack.code}" in the folder "${code}"`),
    ...isOdd(
      languages.filter(({ prefix }) => prefix === '').length === 1 &&
        new Set(languages.map(({ prefix }) => prefix)).size === languages.length,
      'exactly one language has an empty "prefix", and the others each have one of their own',
    ),
    ...isOdd(
      languages.some(({ locale }) => locale === pack.defaultLocale),
      `"defaultLocale" ${pack.defaultLocale} is the locale of no language`,
    ),
    ...isOdd(
      (numbering.groups ?? []).reduce((sum, group) => sum + group, 0) === numbering.nationalLength,
      '"numbering.groups" do not add up to "numbering.nationalLength"',
    ),
    ...isOdd(
      numbering.ownPrefixes.every((prefix) => new RegExp(numbering.mobilePattern ?? '').test(prefix.padEnd(7, '0'))),
      '"numbering.ownPrefixes" are no mobile numbers by "numbering.mobilePattern"',
    ),
    ...isOdd(
      [limits.prepaid, limits.postpaid].every(({ min, max }) => min <= max),
      '"limits" have a minimum above the maximum',
    ),
    ...isOdd(
      amountChips.every((chip) => chip >= limits.prepaid.min && chip <= limits.prepaid.max),
      '"amountChips" lie outside "limits.prepaid"',
    ),
    ...isOdd(
      methods.every(({ type, route }) => type !== 'AM' || route === `${brand.slug}-money`),
      `the wallet's "route" must be ${brand.slug}-money`,
    ),
    ...isOdd(new Set(codes).size === codes.length, 'two bundles have the same "productCode"'),
    ...isOdd(!unsaid, `the bundle ${unsaid?.productCode} has no words in one of the languages`),
    ...isOdd(features.dualCurrency || !secondCurrency, '"secondCurrency" needs "features.dualCurrency"'),
    ...isOdd(!features.dualCurrency || Boolean(secondCurrency), '"features.dualCurrency" needs "secondCurrency"'),
    ...isOdd(!features.dualCurrency || currency.digits === 2, 'with two currencies "currency.digits" must be 2'),
  ];
}

/** The packages around every page, with their keys, and the pages that header and footer link to. */
const ownPackages: Record<string, readonly string[]> = {
  'header.json': ['links'],
  'footer.json': ['groups', 'note'],
  'loader-translation.json': ['wait', 'holdOn', 'loadingMessage'],
  'contact-us.md': [],
  'mobile-money.md': [],
  'privacy-policy.md': [],
};

function contentProblems({ code, languages }: OperatorPack): string[] {
  const english = leaves(readJson(new URL('translation.json', textsFolder('EN'))));
  return languages.flatMap((language) => {
    const name = language.code.toLowerCase();
    const shared = leaves(readJson(new URL('translation.json', textsFolder(language.code))));
    const own = leaves(readJson(new URL(`content/${name}/translation.json`, packFolder(code))));
    const texts = new Set([...shared, ...own]);
    const unsaid = english.filter((key) => !texts.has(key));
    return [
      ...(unsaid.length > 0
        ? [`operators/texts/${name}/translation.json misses ${named(unsaid)}, which every page may ask for`]
        : []),
      ...Object.entries(ownPackages).flatMap(([fileName, wanted]) => {
        const file = `content/${name}/${fileName}`;
        const url = new URL(file, packFolder(code));
        if (!existsSync(url)) return [`${packName(code)}${file} is missing`];
        const content = wanted.length > 0 ? readJson(url) : {};
        const absent = wanted.filter((key) => !record(content) || !(key in content));
        return absent.length > 0 ? [`${packName(code)}${file} misses ${named(absent)}`] : [];
      }),
    ];
  });
}

function named(list: readonly string[]): string {
  const [first, ...others] = list;
  return others.length === 0 ? `"${first}"` : `"${first}" and ${others.length} more`;
}

function readJson(file: URL): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function leaves(value: unknown, path = ''): string[] {
  if (!record(value)) return path ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}
