/** Letters and digits, joined by dots, underscores, dashes or plus signs; a domain; two or more letters at the end. */
export const emailPattern = /^[A-Za-z0-9]+(?:[._+-]+[A-Za-z0-9]+)*_?@[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*\.[A-Za-z]{2,}$/;
export const emailMaxLength = 254;

export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && emailPattern.test(text);
}

export type EmailProblem = 'missing' | 'invalid';

export function emailProblem(text: string): EmailProblem | null {
  const trimmed = text.trim();
  if (trimmed === '') return 'missing';
  return isEmail(trimmed) ? null : 'invalid';
}

/** The first letter and the domain stay readable, so that the owner recognises it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '' : `${email[0]}${'•'.repeat(Math.max(at - 1, 3))}${email.slice(at)}`;
}

/** Gmail ignores dots, and has two domains. */
const withoutDots = new Set(['gmail.com', 'googlemail.com']);

/** A canonical form of all addresses that reach the same mailbox: without a plus suffix, in lower case. */
export function mailboxOf(email: string): string {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = lower.slice(at + 1);
  const [name = ''] = lower.slice(0, at).split('+');
  return withoutDots.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
