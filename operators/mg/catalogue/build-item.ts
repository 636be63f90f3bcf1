import type { BundleContent, CatalogueItem } from '@portal/domain/operator.ts';
import {
  capitalised,
  categories,
  type Family,
  families,
  joined,
  lasting,
  periodOf,
  same,
  unlimitedWord,
  type Words,
  words,
} from './words.ts';

/** A size such as '500M' or '1.5G', or 'unlimited'; minutes and messages are numbers, or 'unlimited'. */
export interface ItemFacts {
  code: string;
  family: Family;
  serviceType: CatalogueItem['serviceType'];
  lineType?: CatalogueItem['lineType'];
  size?: string;
  minutes?: number | 'unlimited';
  messages?: number | 'unlimited';
  days: number;
  amount: number;
  hours?: { from: string; to: string; words: Words };
  /** The region or network where it can be used. */
  place?: Words;
  popular?: boolean;
}

function dataContent(size: string): { content: BundleContent; text: Words } {
  if (size === 'unlimited')
    return {
      content: { amount: 'Unlimited', unit: '', shownAmount: unlimitedWord },
      text: words('unlimited data', 'internet illimité', 'internet tsy voafetra'),
    };
  const amount = size.slice(0, -1);
  const letter = size.slice(-1);
  const shownUnit = words(`${letter}B`, `${letter}o`, `${letter}B`);
  const comma = amount.replace('.', ',');
  const text = joined([words(amount, comma, comma), shownUnit], ' ');
  return { content: { amount, unit: `${letter}B`, shownUnit }, text };
}

function voiceContent(minutes: number | 'unlimited'): { content: BundleContent; text: Words } {
  if (minutes === 'unlimited')
    return {
      content: { amount: 'Unlimited', unit: '', shownAmount: unlimitedWord },
      text: words('unlimited calls', 'appels illimités', 'antso tsy voafetra'),
    };
  return { content: { amount: String(minutes), unit: 'min' }, text: same(`${minutes} min`) };
}

export function buildItem(facts: ItemFacts): CatalogueItem {
  const { family, days, hours, place } = facts;
  const data = facts.size ? dataContent(facts.size) : null;
  const voice = facts.minutes ? voiceContent(facts.minutes) : null;
  const sms = facts.messages ? same(`${facts.messages} SMS`) : null;
  const contents = [data?.text, voice?.text, sms].filter((text) => text != null);
  const content = joined(contents, ' + ');
  const period = periodOf(days);
  return {
    productCode: facts.code,
    serviceType: facts.serviceType,
    lineType: facts.lineType ?? 'PREPAID',
    category: categories[family],
    name: joined([same(families[family]), content], ' '),
    description: joined(
      [capitalised(content), lasting(days), hours?.words, place].filter((text) => text !== undefined),
      ', ',
    ),
    ...(data ? { data: data.content } : {}),
    ...(voice ? { voice: voice.content } : {}),
    ...(facts.messages ? { sms: String(facts.messages) } : {}),
    validityDays: days,
    ...(hours ? { hours: `${hours.from}-${hours.to}` } : {}),
    ...(period ? { periodType: period } : {}),
    amount: facts.amount,
    ...(facts.popular ? { popular: true } : {}),
  };
}
