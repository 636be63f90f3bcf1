import { existsSync, readFileSync } from 'node:fs';
import { standardBudgets } from '@portal/domain/budgets.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { standardWayHealthRules } from '@portal/domain/payment/way-health.ts';
import { riskRulesProblem } from '@portal/domain/risk.ts';
import { packFolder, packName, textsFolder } from './pack-folder.ts';

/** What a value has to be, in the words that follow "must be". */
interface Rule {
  must: string;
  holds: (value: unknown) => boolean;
}

const rule = (must: string, holds: (value: unknown) => boolean): Rule => ({ must, holds });
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const listOf = (holds: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(holds);

const text = rule('a text', isText);
const truth = rule('true or false', (value) => typeof value === 'boolean');
const whole = rule('a whole number', isWhole);
const amount = rule('a whole number above 0', (value) => isWhole(value) && value > 0);
const degrees = rule('a number of degrees', (value) => typeof value === 'number' && Math.abs(value) <= 180);
const like = (pattern: RegExp, must: string) => rule(must, (value) => isText(value) && pattern.test(value));
const textOrNothing = rule('a text, or null', (value) => value === null || isText(value));
const record = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const allTexts = (value: unknown, ...names: string[]) => record(value) && names.every((name) => isText(value[name]));

/** Every key that a pack has to bring, by its path. */
const keys: Record<string, Rule> = {
  code: like(/^[a-z]{2}$/, 'two small letters'),
  opco: text,
  productCode: text,
  channel: text,
  runMode: text,
  'brand.name': text,
  'brand.slug': like(/^[a-z][a-z0-9-]*$/, 'small letters, digits and dashes'),
  'brand.tokens': rule('an object, which may be empty', record),
  'country.name': text,
  'country.iso': like(/^[A-Z]{2}$/, 'two capital letters'),
  'numbering.countryCode': like(/^[1-9]\d{0,2}$/, 'one to three digits'),
  'numbering.nationalLength': rule('a whole number from 7 to 12', (value) => isWhole(value) && value > 6 && value < 13),
  'numbering.ownPrefixes': rule(
    'a list of digits',
    listOf((one) => isText(one) && /^\d+$/.test(one)),
  ),
  'numbering.mobilePattern': rule('a regular expression', (value) => isText(value) && isPattern(value)),
  'numbering.groups': rule('a list of whole numbers', listOf(isWhole)),
  'currency.code': like(/^[A-Z]{3}$/, 'three capital letters'),
  'currency.digits': rule('a whole number up to 4', (value) => isWhole(value) && value <= 4),
  languages: rule(
    'a list of languages, each with code, locale, prefix, name and formats, and twelve months where it names any',
    listOf(
      (one) =>
        allTexts(one, 'code', 'locale', 'name', 'formats') &&
        record(one) &&
        typeof one.prefix === 'string' &&
        (one.months === undefined || (Array.isArray(one.months) && one.months.filter(isText).length === 12)),
    ),
  ),
  defaultLocale: text,
  timeZone: rule('a time zone such as Africa/Lagos', (value) => isText(value) && isTimeZone(value)),
  'limits.prepaid.min': amount,
  'limits.prepaid.max': amount,
  'limits.postpaid.min': amount,
  'limits.postpaid.max': amount,
  amountChips: rule('a list of whole numbers', listOf(isWhole)),
  'features.showPostpaidBundles': truth,
  'features.kpi': truth,
  'features.storeFinder': truth,
  'features.contactSection': truth,
  'features.enableAmPin': truth,
  'features.postpaidHybridCheck': truth,
  'features.amountToHigherValue': truth,
  'features.dataBalance': truth,
  'features.dualCurrency': truth,
  'care.number': text,
  'care.pinResetDial': text,
  paymentMaxTry: amount,
  methods: rule(
    'a list of ways to pay, each with name, type, mode, gateway and route',
    listOf((one) => allTexts(one, 'name', 'type', 'mode', 'gateway', 'route')),
  ),
  catalogue: rule(
    'a list of bundles, each with productCode, serviceType, lineType, category, name, description, validityDays and amount',
    (value) =>
      Array.isArray(value) &&
      value.every(
        (one) =>
          allTexts(one, 'productCode', 'serviceType', 'lineType') &&
          [one.category, one.name, one.description].every(record) &&
          Number.isSafeInteger(one.validityDays) &&
          amount.holds(one.amount),
      ),
  ),
  'map.centre.lat': degrees,
  'map.centre.lng': degrees,
  'map.bounds.south': degrees,
  'map.bounds.west': degrees,
  'map.bounds.north': degrees,
  'map.bounds.east': degrees,
  'map.base': textOrNothing,
  'map.attribution': rule('a text, which may be empty', (value) => typeof value === 'string'),
  'map.tiles': rule('url and attribution, or null', (value) => value === null || allTexts(value, 'url', 'attribution')),
  'map.countryNames': rule('a list of texts', listOf(isText)),
  cdnBase: textOrNothing,
  smsSender: text,
};

/** Checked where a pack brings it. */
const optionalKeys: Record<string, Rule> = {
  budgets: rule(
    'known budgets, each with most and seconds as whole numbers above 0',
    (value) =>
      record(value) &&
      Object.entries(value).every(
        ([name, one]) => name in standardBudgets && record(one) && amount.holds(one.most) && amount.holds(one.seconds),
      ),
  ),
  wayHealth: rule(
    'known numbers of way-health.ts, each whole and above 0',
    (value) =>
      record(value) &&
      Object.entries(value).every(([name, number]) => name in standardWayHealthRules && amount.holds(number)),
  ),
  risk: rule('rules as in domain/risk.ts, each whole', (value) => riskRulesProblem(value) === null),
};

/** Needed only with the feature `dualCurrency`. */
const dualKeys: Record<string, Rule> = {
  'secondCurrency.code': like(/^[A-Z]{3}$/, 'three capital letters'),
  'secondCurrency.digits': whole,
  'secondCurrency.plausible.least': amount,
  'secondCurrency.plausible.most': amount,
};

/** Everything that keeps a pack from running, each naming the key and the file; empty when it can run. */
export function packProblems(code: string, pack: unknown): string[] {
  const file = `${packName(code)}pack.ts`;
  if (!record(pack)) return [`${file} exports no "pack"`];
  const brought = Object.entries(optionalKeys).filter(([path]) => at(pack, path) !== undefined);
  const wanted = {
    ...keys,
    ...Object.fromEntries(brought),
    ...(at(pack, 'features.dualCurrency') === true ? dualKeys : {}),
  };
  const missing = Object.entries(wanted).flatMap(([path, { must, holds }]) => {
    const value = at(pack, path);
    if (value === undefined) return [`${file} misses "${path}", which must be ${must}`];
    return holds(value) ? [] : [`"${path}" in ${file} must be ${must}, not ${JSON.stringify(value)?.slice(0, 60)}`];
  });
  if (missing.length > 0) return missing;
  const whole = pack as unknown as OperatorPack;
  return [...disagreements(code, whole).map((problem) => `${problem} (${file})`), ...contentProblems(whole)];
}

/** Keys that are all there and do not fit together. */
function disagreements(code: string, pack: OperatorPack): string[] {
  const { numbering, languages, limits, amountChips, brand, methods, currency, secondCurrency, features } = pack;
  const codes = pack.catalogue.map(({ productCode }) => productCode);
  const unsaid = pack.catalogue.find(({ name, category, description, periodType }) =>
    [name, category, description, periodType ?? name].some((words) =>
      languages.some((one) => !isText(words[one.code])),
    ),
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
    ...isOdd(!features.dualCurrency || currency.digits === 2, 'with two currencies "currency.digits" must be 2'),
  ];
}

/** What every page stands in, with its keys, and the pages that header and footer lead to. */
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

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (record(inner) ? inner[key] : undefined), value);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
