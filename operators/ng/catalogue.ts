import type { CatalogueItem } from '@portal/domain/operator.ts';

const periods: Record<number, string> = { 1: 'Daily', 2: 'Daily', 7: 'Weekly', 30: 'Monthly' };
const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

type Sold = Pick<
  CatalogueItem,
  'productCode' | 'serviceType' | 'data' | 'voice' | 'sms' | 'amount' | 'validityDays' | 'popular'
>;

const popular = { popular: true };

/** One language, so each text is written once. */
function item(sold: Sold, category: string, name: string): CatalogueItem {
  const period = periods[sold.validityDays];
  return {
    ...sold,
    lineType: 'PREPAID',
    category: { EN: category },
    name: { EN: name },
    description: { EN: `${name}, ${sold.validityDays === -1 ? 'no end' : days(sold.validityDays)}` },
    ...(period ? { periodType: { EN: period } } : {}),
  };
}

const dataItem = (
  productCode: string,
  [amount, unit]: [string, string],
  validityDays: number,
  price: number,
  { serviceType = 'DATA', ...more }: { serviceType?: 'DATA' | 'BROADBAND'; popular?: boolean } = {},
) =>
  item(
    { productCode, serviceType, data: { amount, unit }, validityDays, amount: price, ...more },
    serviceType === 'DATA' ? 'Internet data' : 'Broadband',
    `${amount} ${unit}`,
  );

/** Prices in whole naira. */
export const catalogue: readonly CatalogueItem[] = [
  dataItem('ND200M1', ['200', 'MB'], 1, 200),
  dataItem('ND1G1', ['1', 'GB'], 1, 500, popular),
  dataItem('ND2G7', ['2', 'GB'], 7, 1_500, popular),
  dataItem('ND4G30', ['4', 'GB'], 30, 2_500),
  dataItem('ND10G30', ['10', 'GB'], 30, 4_000, popular),
  dataItem('NB15G7', ['15', 'GB'], 7, 5_000, { serviceType: 'BROADBAND' }),
  dataItem('NB50G30', ['50', 'GB'], 30, 12_000, { serviceType: 'BROADBAND' }),
  dataItem('NB150G30', ['150', 'GB'], 30, 25_000, { serviceType: 'BROADBAND' }),
  item(
    { productCode: 'NV60M7', serviceType: 'VOICE', voice: { amount: '60', unit: 'MIN' }, validityDays: 7, amount: 700 },
    'Calls',
    '60 minutes',
  ),
  item({ productCode: 'NS200D7', serviceType: 'SMS', sms: '200', validityDays: 7, amount: 300 }, 'SMS', '200 SMS'),
  item(
    {
      productCode: 'NM3G30',
      serviceType: 'MIXED',
      data: { amount: '3', unit: 'GB' },
      voice: { amount: '100', unit: 'MIN' },
      validityDays: 30,
      amount: 3_500,
      ...popular,
    },
    'Data and calls',
    '3 GB and 100 minutes',
  ),
  item(
    {
      productCode: 'NI30M30',
      serviceType: 'INTERNATIONAL',
      voice: { amount: '30', unit: 'MIN' },
      validityDays: 30,
      amount: 2_000,
    },
    'International calls',
    '30 minutes abroad',
  ),
];
