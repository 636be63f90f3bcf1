import type { CatalogueItem } from '@portal/domain/operator.ts';
import { buildItem, type ItemFacts } from './catalogue/build-item.ts';
import { words, zones } from './catalogue/words.ts';

const popular = { popular: true };
type More = Partial<ItemFacts>;

/** A code has a letter for the family, the contents and the days: D1G7 is 1 GB for 7 days; 0 days means no expiry. */
const inCode = (days: number) => Math.max(days, 0);

const data = (size: string, days: number, amount: number, more: More = {}): ItemFacts => ({
  code: `D${size}${inCode(days)}`,
  family: 'data',
  serviceType: 'DATA',
  size,
  days,
  amount,
  ...more,
});

const night = (size: string, days: number, amount: number): ItemFacts => ({
  ...data(size, days, amount),
  code: size === 'unlimited' ? `DX${days}N` : `D${size}${days}N`,
  family: 'night',
  hours: {
    from: '22:00',
    to: '06:00',
    words: words('at night, 22:00 to 6:00', 'la nuit, de 22 h à 6 h', 'alina, 22 ora ka hatramin’ny 6 ora'),
  },
});

const voice = (minutes: number | 'unlimited', days: number, amount: number, more: More = {}): ItemFacts => ({
  code: minutes === 'unlimited' ? `VX${days}` : `V${minutes}M${days}`,
  family: 'voice',
  serviceType: 'VOICE',
  minutes,
  days,
  amount,
  ...more,
});

const sms = (messages: number, days: number, amount: number): ItemFacts => ({
  code: `S${messages}D${inCode(days)}`,
  family: 'sms',
  serviceType: 'SMS',
  messages,
  days,
  amount,
});

const mixed = (size: string, minutes: number, messages: number, days: number, amount: number, more: More = {}) => ({
  code: `M${size}${minutes}V`,
  family: 'mixed' as const,
  serviceType: 'MIXED' as const,
  size,
  minutes,
  messages,
  days,
  amount,
  ...more,
});

const international = (minutes: number, days: number, amount: number, zone: keyof typeof zones): ItemFacts => ({
  ...voice(minutes, days, amount),
  code: `I${minutes}M${days}${zone === 'world' ? 'A' : ''}`,
  family: 'international',
  serviceType: 'INTERNATIONAL',
  place: zones[zone],
});

const roaming = (days: number, amount: number, content: { code: string } & More): ItemFacts => ({
  family: 'roaming',
  serviceType: 'ROAMING',
  days,
  amount,
  place: zones.europe,
  ...content,
});

const router = (size: string, days: number, amount: number): ItemFacts => ({
  ...data(size, days, amount),
  code: `B${size}${days}`,
  family: 'broadband',
  serviceType: 'BROADBAND',
});

const home = (size: string, amount: number): ItemFacts => ({
  ...data(size, 30, amount),
  code: size === 'unlimited' ? 'HX30' : `H${size}30`,
  family: 'home',
  serviceType: 'HBB',
});

const postpaid = (facts: ItemFacts, code: string): ItemFacts => ({ ...facts, code, lineType: 'POSTPAID' });

/** Prices in ariary. Longer validity costs more, and larger contents cost less per unit. */
const facts: readonly ItemFacts[] = [
  data('50M', 1, 300),
  data('100M', 1, 500),
  data('250M', 1, 1_000),
  data('500M', 1, 1_500),
  data('300M', 3, 1_300),
  data('500M', 3, 2_000),
  data('1G', 1, 2_500),
  data('1G', 3, 3_500),
  data('1G', 7, 5_000, popular),
  data('1.5G', 7, 6_500),
  data('2G', 7, 8_500),
  data('3G', 7, 12_000),
  data('5G', 7, 17_000),
  data('2G', 30, 10_000),
  data('3G', 30, 14_000),
  data('5G', 30, 20_000, popular),
  data('8G', 30, 29_000),
  data('10G', 30, 35_000),
  data('15G', 30, 48_000),
  data('20G', 30, 60_000),
  data('30G', 30, 84_000),
  data('50G', 30, 130_000),
  data('5G', 90, 26_000),
  data('20G', 90, 75_000),
  data('1G', -1, 9_000),

  night('500M', 1, 700),
  night('1G', 1, 1_200),
  night('2G', 1, 2_000),
  night('5G', 3, 4_500),
  night('5G', 7, 6_000),
  night('10G', 7, 10_000),
  night('20G', 30, 18_000),
  night('unlimited', 1, 3_000),
  night('unlimited', 7, 15_000),

  voice(10, 1, 600),
  voice(20, 1, 1_000),
  voice(30, 1, 1_400),
  voice(60, 3, 2_800),
  voice(60, 7, 3_000),
  voice(120, 7, 5_000, popular),
  voice(200, 7, 8_000),
  voice(150, 30, 7_000),
  voice(300, 30, 12_500),
  voice(600, 30, 22_000),
  voice(1_000, 30, 32_000),
  voice('unlimited', 1, 3_500),

  sms(50, 1, 300),
  sms(100, 1, 500),
  sms(100, 7, 700),
  sms(200, 7, 1_200),
  sms(500, 30, 2_500),
  sms(1_000, 30, 4_500),
  sms(2_000, 30, 8_000),
  sms(300, -1, 2_500),

  mixed('200M', 10, 20, 1, 1_300),
  mixed('500M', 20, 50, 1, 2_300),
  mixed('500M', 30, 50, 3, 3_000),
  mixed('1G', 60, 50, 7, 7_000, popular),
  mixed('2G', 100, 100, 7, 11_500),
  mixed('3G', 150, 150, 30, 19_000),
  mixed('6G', 300, 300, 30, 33_000),
  mixed('10G', 500, 500, 30, 49_000),
  mixed('20G', 1_000, 1_000, 30, 82_000),

  international(10, 1, 2_500, 'europe'),
  international(30, 7, 6_000, 'europe'),
  international(60, 7, 11_000, 'europe'),
  international(60, 30, 13_000, 'europe'),
  international(120, 30, 24_000, 'europe'),
  international(20, 7, 5_000, 'world'),
  international(60, 30, 14_500, 'world'),

  roaming(1, 8_000, { code: 'R100M1', size: '100M' }),
  roaming(7, 25_000, { code: 'R500M7', size: '500M' }),
  roaming(7, 42_000, { code: 'R1G7', size: '1G' }),
  roaming(30, 110_000, { code: 'R3G30', size: '3G' }),
  roaming(7, 20_000, { code: 'R30V7', minutes: 30 }),
  roaming(30, 64_000, { code: 'R1G30V30', size: '1G', minutes: 30, messages: 30 }),

  router('5G', 7, 14_000),
  router('10G', 30, 30_000),
  router('20G', 30, 50_000),
  router('40G', 30, 85_000),
  router('60G', 30, 115_000),
  router('100G', 30, 160_000),
  router('200G', 30, 260_000),

  home('50G', 90_000),
  home('100G', 150_000),
  home('300G', 250_000),
  home('unlimited', 350_000),

  postpaid(data('3G', 30, 13_000), 'P3G30'),
  postpaid(data('8G', 30, 27_000), 'P8G30'),
  postpaid(data('20G', 30, 56_000), 'P20G30'),
  postpaid(voice(300, 30, 12_000), 'P300M30'),
  postpaid(mixed('5G', 200, 200, 30, 27_000), 'P5G200V'),
];

export const catalogue: readonly CatalogueItem[] = facts.map(buildItem);
