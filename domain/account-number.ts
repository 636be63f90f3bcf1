export const postpaidAccountPattern = /^\d{10}$/;
export const fixedInternetAccountPattern = /^[PE][A-Z]\d{10}$/;

export function isPostpaidAccount(text: string): boolean {
  return postpaidAccountPattern.test(text);
}

/** What people type to get on: no billing system gives such a number to anybody. */
export function isFillerAccount(text: string): boolean {
  return /^(\d)\1*$/.test(text);
}

/** Capitals without spaces: what people copy from a printed bill. */
export function readFixedInternetAccount(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 12);
}

export function isFixedInternetAccount(text: string): boolean {
  return fixedInternetAccountPattern.test(text);
}

/** For whoever has a link: enough to know one's own again. With an account and its email bills are opened. */
export const maskAccount = (number: string): string => `•••${number.slice(-4)}`;
