import type { Bundle, BundleServiceType } from '@portal/domain/bundle.ts';
import type { CatalogueItem, OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Lines } from '../lines/lines.service.ts';

export interface Bundles {
  list(wanted: {
    msisdn?: string;
    lineType?: string;
    serviceType: BundleServiceType;
    locale: string;
  }): Promise<Bundle[]>;
}

/** What is on sale, for the line asked about: its kind decides, not what the client says it is. */
export function createBundles(pack: OperatorPack, lines: Lines): Bundles {
  return {
    async list({ msisdn, lineType, serviceType, locale }) {
      const line = msisdn ? await lines.find(msisdn) : null;
      if (msisdn && !line) throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'data.msisdn' });
      const kind = line?.lineType ?? lineType;
      const language = pack.languages.find((one) => one.locale === locale) ?? pack.languages[0];
      return pack.catalogue
        .filter((item) => pack.features.showPostpaidBundles || item.lineType !== 'POSTPAID')
        .filter((item) => serviceType === 'ALL' || item.serviceType === serviceType)
        .filter((item) => !kind || kind === 'HYBRID' || item.lineType === kind)
        .map((item) => inLanguage(item, language, pack.currency.code));
    },
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
