export const postpaidAccountPattern = /^\d{10}$/;
export const fixedInternetAccountPattern = /^[PE][A-Z]\d{10}$/;

export function isPostpaidAccount(text: string): boolean {
  return postpaidAccountPattern.test(text);
}

/** Placeholder numbers that people type to get past the form. No billing system issues such a number. */
export function isFillerAccount(text: string): boolean {
  return /^(\d)\1*$/.test(text);
}

/** Normalises a number copied from a printed bill: upper case, no spaces. */
export function readFixedInternetAccount(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 12);
}

export function isFixedInternetAccount(text: string): boolean {
  return fixedInternetAccountPattern.test(text);
}

/**
 * For anybody with the link: enough to recognise one's own account. The full number and its email would open the bills.
 */
export const maskAccount = (number: string): string => `•••${number.slice(-4)}`;

/**
 * The account of a bill that was paid by its line alone. It comes from the billing system and the payer has proved
 * nothing, so it is masked, for the payer too, and shown only once money was taken.
 */
export const billedAccount = (item: { kind: string; accountNo?: string }): string | null =>
  item.kind === 'bill' && item.accountNo ? maskAccount(item.accountNo) : null;
