import { z } from 'zod';

export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });
export const httpUrl = url(/^https?$/, 'https://charging.example').transform((value) => value.replace(/\/$/, ''));
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

export const filledList = list.refine((parts) => parts.length > 0, 'must name at least one');
export const origins = filledList.refine(
  (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
  'must be origins such as https://checkout.example, comma-separated',
);
export const origin = httpUrl.refine((value) => new URL(value).origin === value, 'must be an origin, without a path');
export const timeZone = z.string().refine(isTimeZone, 'must be a time zone such as Africa/Nairobi');
export const jsonObject = <Value extends z.ZodType>(value: Value, example: string) =>
  z
    .string()
    .transform(jsonOrNull)
    .pipe(z.record(z.string(), value, { error: `must be JSON such as ${example}` }));

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
