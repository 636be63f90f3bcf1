import { budgetsOf } from '@portal/domain/budgets.ts';
import { mapDefaults, oneTimeCode, walletPin } from '@portal/domain/constants.ts';
import { formatMoney } from '@portal/domain/money.ts';
import type { OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import { codeLifeSeconds, walletLockSeconds } from '@portal/domain/verification/limits.ts';

/** What answers call by name in braces, so that a changed limit changes the answers with it. */
export function helpFacts(pack: OperatorPack, language: PackLanguage): Record<string, string> {
  const { limits, currency, brand, care } = pack;
  const budgets = budgetsOf(pack);
  const money = (amount: number) => formatMoney({ amount, currency: currency.code }, language.formats, currency.digits);
  const facts: Record<string, string | number> = {
    brand: brand.name,
    slug: brand.slug,
    care: care.number,
    resetDial: care.pinResetDial,
    prefix: `+${pack.numbering.countryCode}`,
    numberDigits: pack.numbering.nationalLength,
    prepaidMin: money(limits.prepaid.min),
    prepaidMax: money(limits.prepaid.max),
    postpaidMin: money(limits.postpaid.min),
    postpaidMax: money(limits.postpaid.max),
    codeDigits: oneTimeCode.digits,
    codeTries: oneTimeCode.attempts,
    codeMinutes: codeLifeSeconds / 60,
    resendSeconds: oneTimeCode.resendSeconds,
    codesSoon: budgets.codeNumberSoon.most,
    codesSoonMinutes: budgets.codeNumberSoon.seconds / 60,
    codesDay: budgets.codeNumberDay.most,
    pinDigits: walletPin.digits,
    pinTries: walletPin.attempts,
    lockHours: walletLockSeconds / 3600,
    orderMinutes: orderLifeSeconds / 60,
    shopRadius: mapDefaults.shopRadiusKilometres,
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));
}

/** A star in a number to dial is a star, not emphasis. */
export const asMarkdown = (text: string): string => text.replace(/[\\`*_[\]()#!|<>~]/g, '\\$&');

export const fillFacts = (text: string, facts: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
