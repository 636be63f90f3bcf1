import { budgetsOf } from '@portal/domain/budgets.ts';
import { mapDefaults, oneTimeCode, walletPin } from '@portal/domain/constants.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { groupNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import { codeLifeSeconds, walletLockSeconds } from '@portal/domain/verification/lifetimes.ts';

/** The values of placeholders in answers, so that a changed limit also changes the answers. */
export function helpFacts(pack: OperatorPack, language: PackLanguage): Record<string, string> {
  const { limits, currency, brand, care, numbering } = pack;
  const example = `${(numbering.ownPrefixes[0] ?? '').padEnd(numbering.nationalLength - 1, '0')}1`;
  const budgets = budgetsOf(pack);
  const money = (amount: number) => formatMoney({ amount, currency: currency.code }, language.formats, currency.digits);
  const facts: Record<string, string | number> = {
    brand: brand.name,
    slug: brand.slug,
    care: care.number,
    resetDial: care.pinResetDial,
    prefix: `+${numbering.countryCode}`,
    exampleNumber: groupNational(example, numbering.groups),
    numberDigits: numbering.nationalLength,
    smallestUnit: money(1),
    prepaidMin: money(limits.prepaid.min),
    prepaidMax: money(limits.prepaid.max),
    postpaidMin: money(limits.postpaid.min),
    postpaidMax: money(limits.postpaid.max),
    codeDigits: oneTimeCode.digits,
    codeTries: oneTimeCode.attempts,
    codeMinutes: codeLifeSeconds / 60,
    resendSeconds: oneTimeCode.resendSeconds,
    codesSoon: budgets.codeNetworkSoon.most,
    codesSoonMinutes: budgets.codeNetworkSoon.seconds / 60,
    codesDay: budgets.codeNetworkDay.most,
    pinDigits: walletPin.digits,
    pinTries: walletPin.attempts,
    lockHours: walletLockSeconds / 3600,
    orderMinutes: orderLifeSeconds / 60,
    shopRadius: mapDefaults.shopRadiusKilometres,
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));
}

/** Escapes Markdown: a star in a number to dial is not emphasis. */
export const asMarkdown = (text: string): string => text.replace(/[\\`*_[\]()#!|<>~]/g, '\\$&');

export const fillFacts = (text: string, facts: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
