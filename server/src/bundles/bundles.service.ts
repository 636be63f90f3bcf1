import type { Bundle, BundleServiceType } from '@portal/domain/bundle.ts';
import type { CatalogueItem, OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import type { DeliveredItem } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Line, Lines } from '../lines/lines.service.ts';

export interface Bundles {
  list(wanted: {
    msisdn?: string;
    lineType?: string;
    serviceType: BundleServiceType;
    locale: string;
  }): Promise<Bundle[]>;
  /** One bundle as it is sold to a line now, and what the charging system is to give for it. */
  find(productCode: string, line: Line, locale: string): { bundle: Bundle; item: BundleItem } | null;
}

type BundleItem = Extract<DeliveredItem, { kind: 'bundle' }>;

/** What is on sale, for the line asked about: its kind decides, not what the client says it is. */
export function createBundles(pack: OperatorPack, lines: Lines): Bundles {
  const languageOf = (locale: string) => pack.languages.find((one) => one.locale === locale) ?? pack.languages[0];
  const onSale = () =>
    pack.catalogue.filter((item) => pack.features.showPostpaidBundles || item.lineType !== 'POSTPAID');
  const suits = (item: CatalogueItem, kind: string | undefined) => !kind || kind === 'HYBRID' || item.lineType === kind;

  return {
    find(productCode, line, locale) {
      const item = onSale().find((one) => one.productCode === productCode && suits(one, line.lineType));
      if (!item) return null;
      const bundle = inLanguage(item, languageOf(locale), pack.currency.code);
      return { bundle, item: itemOf(item, bundle) };
    },

    async list({ msisdn, lineType, serviceType, locale }) {
      const line = msisdn ? await lines.find(msisdn) : null;
      if (msisdn && !line) throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'data.msisdn' });
      const kind = line?.lineType ?? lineType;
      return onSale()
        .filter((item) => serviceType === 'ALL' || item.serviceType === serviceType)
        .filter((item) => suits(item, kind))
        .map((item) => inLanguage(item, languageOf(locale), pack.currency.code));
    },
  };
}

const usageTypes: Partial<Record<CatalogueItem['serviceType'], string>> = { VOICE: 'voice', SMS: 'sms' };

/** A bundle of several things is counted by the charging system under the first of them. */
function itemOf(item: CatalogueItem, bundle: Bundle): BundleItem {
  const held = item.data ?? item.voice ?? (item.sms ? { amount: item.sms, unit: 'SMS' } : null);
  const amount = held ? Number(held.amount) : Number.NaN;
  return {
    kind: 'bundle',
    productCode: item.productCode,
    description: bundle.description,
    usageType: usageTypes[item.serviceType] ?? 'data',
    content: held && Number.isFinite(amount) ? { amount, units: held.unit } : null,
    isUnlimited: held !== null && !Number.isFinite(amount),
    validityDays: item.validityDays === -1 ? null : item.validityDays,
  };
}

function inLanguage(item: CatalogueItem, language: PackLanguage | undefined, currency: string): Bundle {
  const word = (words: Readonly<Record<string, string>>) =>
    words[language?.code ?? ''] ?? Object.values(words)[0] ?? '';
  return {
    name: word(item.name),
    category: word(item.category),
    description: word(item.description),
    ...(item.data ? { data: item.data.amount, dataUnit: item.data.unit } : {}),
    ...(item.voice ? { voice: item.voice.amount, voiceUnit: item.voice.unit } : {}),
    ...(item.sms ? { sms: item.sms } : {}),
    validity: String(item.validityDays),
    validityUnit: 'DAYS',
    ...(item.periodType ? { periodType: word(item.periodType) } : {}),
    amount: item.amount,
    currency,
    productCode: item.productCode,
    lineType: item.lineType,
  };
}
