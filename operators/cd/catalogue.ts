import type { CatalogueItem } from '@portal/domain/operator.ts';

type Sold = Pick<CatalogueItem, 'productCode' | 'serviceType' | 'amount' | 'validityDays' | 'popular'>;
type Content = Pick<CatalogueItem, 'data' | 'voice' | 'sms'>;

const lasting = (days: number) => (days === 1 ? '1 jour' : `${days} jours`);

function periodOf(days: number): string | undefined {
  if (days > 31) return undefined;
  if (days < 7) return 'Par jour';
  return days < 30 ? 'Par semaine' : 'Par mois';
}

/** The names are Lingala: a way, a word, news, everything, far away. One language, so each text is written once. */
function item(sold: Sold, [category, family]: [string, string], words: string, content: Content): CatalogueItem {
  const period = periodOf(sold.validityDays);
  return {
    ...sold,
    ...content,
    lineType: 'PREPAID',
    category: { FR: category },
    name: { FR: `${family} ${words}` },
    description: { FR: `${words}, ${lasting(sold.validityDays)}` },
    ...(period ? { periodType: { FR: period } } : {}),
  };
}

/** A size such as '250M' or '1.5G'. */
function dataOf(size: string): { content: Content; words: string } {
  const amount = size.slice(0, -1);
  const unit = `${size.slice(-1)}o`;
  return {
    content: { data: { amount, unit: `${size.slice(-1)}B`, shownUnit: { FR: unit } } },
    words: `${amount.replace('.', ',')} ${unit}`,
  };
}

function data(size: string, validityDays: number, amount: number, more: Pick<Sold, 'popular'> = {}): CatalogueItem {
  const { content, words } = dataOf(size);
  const sold = { productCode: `CD${size}${validityDays}`, serviceType: 'DATA', validityDays, amount, ...more } as const;
  return item(sold, ['Internet mobile', 'Nzela'], words, content);
}

function box(size: string, validityDays: number, amount: number): CatalogueItem {
  const { content, words } = dataOf(size);
  const sold = { productCode: `CB${size}${validityDays}`, serviceType: 'BROADBAND', validityDays, amount } as const;
  return item(sold, ['Internet pour votre box', 'Box'], words, content);
}

const minutes = (count: number): Content => ({ voice: { amount: String(count), unit: 'min' } });

/** Prices in cents of a dollar. */
export const catalogue: readonly CatalogueItem[] = [
  data('60M', 1, 20),
  data('250M', 1, 50, { popular: true }),
  data('1G', 1, 100, { popular: true }),
  data('1.5G', 7, 250),
  data('3G', 7, 400, { popular: true }),
  data('6G', 30, 800),
  data('12G', 30, 1_250, { popular: true }),
  data('30G', 30, 2_500),
  box('30G', 30, 2_000),
  box('100G', 30, 4_500),
  box('250G', 30, 8_000),
  item(
    { productCode: 'CV30M1', serviceType: 'VOICE', validityDays: 1, amount: 50 },
    ['Appels', 'Liloba'],
    '30 minutes',
    minutes(30),
  ),
  item(
    { productCode: 'CV120M7', serviceType: 'VOICE', validityDays: 7, amount: 200 },
    ['Appels', 'Liloba'],
    '120 minutes',
    minutes(120),
  ),
  item({ productCode: 'CS100D7', serviceType: 'SMS', validityDays: 7, amount: 50 }, ['SMS', 'Nsango'], '100 SMS', {
    sms: '100',
  }),
  item(
    { productCode: 'CM2G30', serviceType: 'MIXED', validityDays: 30, amount: 500 },
    ['Internet et appels', 'Nyonso'],
    '2 Go et 60 minutes',
    { ...dataOf('2G').content, ...minutes(60) },
  ),
  item(
    { productCode: 'CI20M30', serviceType: 'INTERNATIONAL', validityDays: 30, amount: 300 },
    ['Appels à l’international', 'Mosika'],
    '20 minutes vers l’étranger',
    minutes(20),
  ),
];
