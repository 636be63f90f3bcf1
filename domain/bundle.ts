export type Bundle = {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly data?: string;
  readonly dataUnit?: string;
  readonly voice?: string;
  readonly voiceUnit?: string;
  readonly sms?: string;
  /** '-1' for no expiry. */
  readonly validity: string;
  readonly validityUnit?: string;
  readonly periodType?: string;
  readonly amount: number;
  readonly currency: string;
  readonly productCode: string;
  readonly lineType?: string;
  /** The same value; some clients read this spelling. */
  readonly linetype?: string;
  readonly serviceType?: Exclude<BundleServiceType, 'ALL'>;
  /** The part of the day in which it can be used, such as '22:00-06:00'; all day if absent. */
  readonly hours?: string;
  readonly popular?: boolean;
};

export const bundleServiceTypes = [
  'ALL',
  'DATA',
  'VOICE',
  'SMS',
  'MIXED',
  'INTERNATIONAL',
  'ROAMING',
  'BROADBAND',
  'HBB',
] as const;
export type BundleServiceType = (typeof bundleServiceTypes)[number];

const unlimited = '-1';
export const otherPeriods = 'Others';

export function isUnlimitedValidity(bundle: Pick<Bundle, 'validity'>): boolean {
  return bundle.validity.trim() === unlimited;
}

const hoursByUnit: readonly [RegExp, number][] = [
  [/^min/, 1 / 60],
  [/^(mois|month|volana)/, 720],
  [/^(herin|w|sem)/, 168],
  [/^(h|ora)/, 1],
  [/^(y|ans?$|ann|taona)/, 8760],
];

/** For sorting only. An unknown unit counts as days. */
export function validityHours(bundle: Pick<Bundle, 'validity' | 'validityUnit'>): number {
  if (isUnlimitedValidity(bundle)) return Number.POSITIVE_INFINITY;
  const unit = (bundle.validityUnit ?? '').trim().toLowerCase();
  const hours = hoursByUnit.find(([pattern]) => pattern.test(unit))?.[1] ?? 24;
  return (Number.parseFloat(bundle.validity) || 0) * hours;
}

export type BundleGroup<B extends Bundle> = { category: string; bundles: (B & { periodType: string })[] };

/** Categories alphabetically; within each by validity, then by price, ascending. */
export function groupBundles<B extends Bundle>(bundles: readonly B[], locale = 'en'): BundleGroup<B>[] {
  const groups = new Map<string, BundleGroup<B>>();
  for (const bundle of bundles) {
    const group = groups.get(bundle.category) ?? { category: bundle.category, bundles: [] };
    group.bundles.push({ ...bundle, periodType: bundle.periodType || otherPeriods });
    groups.set(bundle.category, group);
  }
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base' });
  const sorted = [...groups.values()].sort((left, right) => compare(left.category, right.category));
  for (const group of sorted) group.bundles.sort(byValidity);
  return sorted;
}

function byValidity(left: Bundle, right: Bundle): number {
  const [leftHours, rightHours] = [validityHours(left), validityHours(right)];
  return leftHours === rightHours ? left.amount - right.amount : leftHours - rightHours;
}

const iconKeywords = ['data', 'internet', 'sms', 'international', 'roaming'] as const;
export type BundleIcon = (typeof iconKeywords)[number] | 'default';

export function bundleIcon(category: string): BundleIcon {
  const words = category.toLowerCase();
  return iconKeywords.find((keyword) => words.includes(keyword)) ?? 'default';
}

const bytePowers: Record<string, number> = { k: -2, m: -1, g: 0, t: 1 };

export function gigabytes(bundle: Pick<Bundle, 'data' | 'dataUnit'>): number | null {
  const power = bytePowers[(bundle.dataUnit ?? '').trim().toLowerCase().charAt(0)];
  const size = Number(bundle.data ?? '');
  return power === undefined || !(size > 0) || !Number.isFinite(size) ? null : size * 1024 ** power;
}

/** In whole units of the bundle's amount; null if it has no countable data. */
export function pricePerGigabyte(bundle: Pick<Bundle, 'data' | 'dataUnit' | 'amount'>): number | null {
  const size = gigabytes(bundle);
  return size === null ? null : Math.round(bundle.amount / size);
}
