import type { Bundle, BundleServiceType } from '@portal/domain/bundle.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { BundleContent, CatalogueItem, OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import type { DeliveredItem } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Line, Lines } from '../lines/lines.service.ts';

export interface Bundles {
  list(wanted: {
    msisdn?: WireNumber | '';
    lineType?: string;
    serviceType: BundleServiceType;
    popular?: boolean;
    locale: string;
  }): Promise<Bundle[]>;
  /** A bundle as currently sold to a line, and what the charging system has to credit for it. */
  find(productCode: string, line: Line, locale: string): Promise<{ bundle: Bundle; item: BundleItem } | null>;
  /** A home-broadband plan as currently sold; it belongs to no line yet. */
  findPlan(productCode: string, locale: string): Promise<Bundle | null>;
}

type BundleItem = Extract<DeliveredItem, { kind: 'bundle' }>;

export { catalogueSheet } from './catalogue.sheet.ts';

/** The catalogue for a line. The line's actual type decides, not what the client sends. */
export function createBundles(
  pack: OperatorPack,
  lines: Lines,
  catalogue: () => Promise<readonly CatalogueItem[]>,
): Bundles {
  const languageOf = (locale: string) => pack.languages.find((one) => one.locale === locale) ?? pack.languages[0];
  const onSale = async () =>
    (await catalogue()).filter((item) => pack.features.showPostpaidBundles || item.lineType !== 'POSTPAID');
  const suits = (item: CatalogueItem, kind: string | undefined) => !kind || kind === 'HYBRID' || item.lineType === kind;

  return {
    async find(productCode, line, locale) {
      const item = (await onSale()).find(
        (one) => one.productCode === productCode && suits(one, line.lineType) && isFor(one, line),
      );
      if (!item) return null;
      const bundle = inLanguage(item, languageOf(locale), pack.currency.code);
      return { bundle, item: itemOf(item, bundle) };
    },

    async findPlan(productCode, locale) {
      const item = (await onSale()).find((one) => one.productCode === productCode && one.serviceType === 'HBB');
      return item ? inLanguage(item, languageOf(locale), pack.currency.code) : null;
    },

    async list({ msisdn, lineType, serviceType, popular, locale }) {
      const line = msisdn ? await lines.find(msisdn) : null;
      if (msisdn && !line) throw new PortalError('lineUnknown', { field: 'data.msisdn' });
      const kind = line?.lineType ?? lineType;
      return (await onSale())
        .filter((item) => (serviceType === 'ALL' ? isFor(item, line) : item.serviceType === serviceType))
        .filter((item) => suits(item, kind) && (!popular || item.popular))
        .map((item) => inLanguage(item, languageOf(locale), pack.currency.code));
    },
  };
}

/** A router can have only router plans. A phone can have anything except those and home-broadband plans. */
function isFor(item: CatalogueItem, line: Line | null): boolean {
  if (!line) return true;
  return line.broadband ? item.serviceType === 'BROADBAND' : !['BROADBAND', 'HBB'].includes(item.serviceType);
}

/** The charging system counts a bundle of several contents under the first of them. */
function itemOf(item: CatalogueItem, bundle: Bundle): BundleItem {
  const held = item.data ?? item.voice ?? (item.sms ? { amount: item.sms, unit: 'SMS' } : null);
  const amount = held ? Number(held.amount) : Number.NaN;
  return {
    kind: 'bundle',
    productCode: item.productCode,
    description: bundle.description,
    usageType: item.data ? 'data' : item.voice ? 'voice' : 'sms',
    content: held && Number.isFinite(amount) ? { amount, units: held.unit } : null,
    isUnlimited: held !== null && !Number.isFinite(amount),
    validityDays: item.validityDays === -1 ? null : item.validityDays,
  };
}

function inLanguage(item: CatalogueItem, language: PackLanguage | undefined, currency: string): Bundle {
  const word = (words: Readonly<Record<string, string>>) =>
    words[language?.code ?? ''] ?? Object.values(words)[0] ?? '';
  const shownAmount = (content: BundleContent) => (content.shownAmount ? word(content.shownAmount) : content.amount);
  const shownUnit = (content: BundleContent) => (content.shownUnit ? word(content.shownUnit) : content.unit);
  return {
    name: word(item.name),
    category: word(item.category),
    description: word(item.description),
    ...(item.data ? { data: shownAmount(item.data), dataUnit: shownUnit(item.data) } : {}),
    ...(item.voice ? { voice: shownAmount(item.voice), voiceUnit: shownUnit(item.voice) } : {}),
    ...(item.sms ? { sms: item.sms } : {}),
    validity: String(item.validityDays),
    validityUnit: 'DAYS',
    ...(item.periodType ? { periodType: word(item.periodType) } : {}),
    amount: item.amount,
    currency,
    productCode: item.productCode,
    lineType: item.lineType,
    linetype: item.lineType,
    serviceType: item.serviceType,
    ...(item.hours ? { hours: item.hours } : {}),
    ...(item.popular ? { popular: true } : {}),
  };
}
