import { type Bundle, gigabytes, validityHours } from './bundle.ts';

/** The needs of a customer. All that are set must be met. */
export interface BundleNeeds {
  text: string;
  data: boolean;
  voice: boolean;
  sms: boolean;
  /** The most it may cost. */
  budget: number | null;
  /** The least it must last. */
  days: number | null;
}

export const noNeeds: BundleNeeds = { text: '', data: false, voice: false, sms: false, budget: null, days: null };

export const hasNeeds = ({ text, ...others }: BundleNeeds): boolean =>
  text.trim() !== '' || Object.values(others).some(Boolean);

export const bundleSortKeys = ['name', 'data', 'voice', 'sms', 'validity', 'price', 'perGigabyte'] as const;
export type BundleSortKey = (typeof bundleSortKeys)[number];
export interface BundleSort {
  by: BundleSortKey;
  descending: boolean;
}

/** Parses needs from a URL or a form: q, data, voice, sms, budget, days. Invalid values are ignored. */
export function readNeeds(fields: Readonly<Record<string, string | undefined>>): BundleNeeds {
  const count = (text: string | undefined) => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : null);
  return {
    text: (fields.q ?? '').slice(0, 80),
    data: fields.data === '1',
    voice: fields.voice === '1',
    sms: fields.sms === '1',
    budget: count(fields.budget),
    days: count(fields.days),
  };
}

/** The reverse; empty if no need is set. */
export function needsFields(needs: BundleNeeds): Record<string, string> {
  const { text, data, voice, sms, budget, days } = needs;
  return {
    q: text.trim(),
    data: data ? '1' : '',
    voice: voice ? '1' : '',
    sms: sms ? '1' : '',
    budget: budget === null ? '' : String(budget),
    days: days === null ? '' : String(days),
  };
}

/** Parses 'price' or '-price' from a URL. */
export function readSort(text: string | undefined): BundleSort | null {
  const by = bundleSortKeys.find((key) => key === text?.replace(/^-/, ''));
  return by ? { by, descending: text?.startsWith('-') ?? false } : null;
}

export const sortField = ({ by, descending }: BundleSort): string => (descending ? `-${by}` : by);

/** Normalises words for search: no accents, no case, GB and Go alike. */
function plainWords(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d),(\d)/g, '$1.$2')
    .replace(/(\d) ?([kmgt])[bo]\b/g, '$1 $2b')
    .replace(/\b([kmgt])o\b/g, '$1b')
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((word) => word !== '');
}

/**
 * Each word must be the prefix of one of the bundle's words. A number must match exactly, so that 1 does not find 10.
 */
function matchesText(bundle: Bundle, text: string): boolean {
  const wanted = plainWords(text);
  const { name, category, description, productCode, periodType = '' } = bundle;
  const own = plainWords([name, category, description, productCode, periodType, bundle.amount].join(' '));
  return wanted.every((word) => own.some((each) => (/^[\d.]+$/.test(word) ? each === word : each.startsWith(word))));
}

const holds = (amount: string | undefined) => (amount ?? '').trim() !== '' && amount?.trim() !== '0';

export function fitsNeeds(bundle: Bundle, needs: BundleNeeds): boolean {
  if (needs.data && !holds(bundle.data)) return false;
  if (needs.voice && !holds(bundle.voice)) return false;
  if (needs.sms && !holds(bundle.sms)) return false;
  if (needs.budget !== null && bundle.amount > needs.budget) return false;
  if (needs.days !== null && validityHours(bundle) < needs.days * 24) return false;
  return matchesText(bundle, needs.text);
}

/** Infinite if unlimited, null if there is none. */
function contents(amount: string | undefined): number | null {
  if (!holds(amount)) return null;
  const count = Number(amount);
  return Number.isFinite(count) && count > 0 ? count : Number.POSITIVE_INFINITY;
}

function dataInside(bundle: Bundle): number | null {
  return gigabytes(bundle) ?? contents(bundle.data);
}

/** Not rounded, so that any two bundles can be compared; null if it has no countable data. */
function exactPerGigabyte(bundle: Bundle): number | null {
  const size = gigabytes(bundle);
  return size === null ? null : bundle.amount / size;
}

function sortValue(bundle: Bundle, by: Exclude<BundleSortKey, 'name'>): number | null {
  switch (by) {
    case 'data':
      return dataInside(bundle);
    case 'voice':
      return contents(bundle.voice);
    case 'sms':
      return contents(bundle.sms);
    case 'validity':
      return validityHours(bundle);
    case 'price':
      return bundle.amount;
    case 'perGigabyte':
      return exactPerGigabyte(bundle);
  }
}

const compareNumbers = (left: number, right: number) => (left === right ? 0 : left - right);

/** Returns a new list. Missing values come last in both directions; the sort is stable. */
export function sortBundles<B extends Bundle>(bundles: readonly B[], sort: BundleSort, locale = 'en'): B[] {
  const direction = sort.descending ? -1 : 1;
  const { by } = sort;
  if (by === 'name') {
    const { compare } = new Intl.Collator(locale, { sensitivity: 'base', numeric: true });
    return [...bundles].sort((left, right) => direction * compare(left.name, right.name));
  }
  return [...bundles].sort((left, right) => {
    const [one, other] = [sortValue(left, by), sortValue(right, by)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return direction * compareNumbers(one, other);
  });
}

/** Round amounts between the cheapest and the dearest, to choose a budget from. */
export function budgetSteps(bundles: readonly Pick<Bundle, 'amount'>[]): number[] {
  const amounts = bundles.map(({ amount }) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const steps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
  return steps.filter((step) => step >= least && step < most);
}

export interface BundlePicks<B extends Bundle> {
  /** The lowest price for a gigabyte; of equal ones the longer, then the cheaper. */
  cheapest: B | null;
  /** The longest validity; of equal ones the one with more data, then the cheaper. */
  longest: B | null;
  /** Of bundles with two of data, calls and SMS: the largest sum of shares, each relative to the maximum of all. */
  mix: B | null;
}

const localKinds: readonly (string | undefined)[] = [undefined, 'DATA', 'VOICE', 'SMS', 'MIXED', 'BROADBAND'];

/**
 * The finder's recommendations. Only bundles that can be used in this country at any time of day are considered, and
 * for the first two only those with data, which is what people compare.
 */
export function pickBundles<B extends Bundle>(bundles: readonly B[]): BundlePicks<B> {
  const usable = bundles.filter(({ hours, serviceType }) => !hours && localKinds.includes(serviceType));
  const withData = usable.filter((bundle) => dataInside(bundle) !== null);
  const counted = withData.filter((bundle) => exactPerGigabyte(bundle) !== null);
  const perGigabyte = (bundle: B) => exactPerGigabyte(bundle) ?? Number.POSITIVE_INFINITY;
  const lasts = (bundle: B) => validityHours(bundle);
  const size = (bundle: B) => dataInside(bundle) ?? 0;
  const price = (bundle: B) => bundle.amount;
  const mixed = usable.filter(
    ({ data, voice, sms }) => [data, voice, sms].filter((amount) => holds(amount)).length >= 2,
  );
  const share = shares(mixed);
  return {
    cheapest: best(counted, [perGigabyte, (bundle) => -lasts(bundle), price]),
    longest: best(withData, [(bundle) => -lasts(bundle), (bundle) => -size(bundle), price]),
    mix: best(mixed, [(bundle) => -share(bundle), price]),
  };
}

/** The minimum by the first measure, ties broken by the next ones and finally by product code. */
function best<B extends Bundle>(bundles: readonly B[], measures: readonly ((bundle: B) => number)[]): B | null {
  const better = (left: B, right: B) => {
    for (const measure of measures) {
      const order = compareNumbers(measure(left), measure(right));
      if (order !== 0) return order < 0;
    }
    return left.productCode < right.productCode;
  };
  return bundles.reduce<B | null>((found, bundle) => (found === null || better(bundle, found) ? bundle : found), null);
}

function shares<B extends Bundle>(bundles: readonly B[]): (bundle: B) => number {
  const kinds = [dataInside, ({ voice }: Bundle) => contents(voice), ({ sms }: Bundle) => contents(sms)];
  const most = kinds.map((inside) => Math.max(0, ...bundles.map((bundle) => inside(bundle) ?? 0)));
  return (bundle) =>
    kinds.reduce((sum, inside, kind) => {
      const held = inside(bundle) ?? 0;
      const largest = most[kind] ?? 0;
      if (held === 0) return sum;
      return sum + (held === largest ? 1 : held / largest);
    }, 0);
}
