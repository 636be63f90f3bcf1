import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PortalError } from './portal-error.ts';
import { refusals } from './refusals.ts';

const languages = ['en', 'fr', 'mg'];
const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../operators/texts/${language}/translation.json`, import.meta.url), 'utf8'))
    .errors;
const placeholders = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each(languages)('the messages of the refusals in %s', (language) => {
  const texts = textsOf(language);
  test('are complete, and none is unused', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(refusals).sort());
  });
  test('use exactly the parameters of their refusal', () => {
    for (const [reason, { parameters }] of Object.entries(refusals))
      expect(placeholders(texts[reason]), reason).toEqual([...parameters].sort());
  });
});

test('a refusal is a reason and its parameters; error code, status and message follow from it', () => {
  const refused = new PortalError('tooManyRequests', { retryAfterSeconds: 12 }, { seconds: 12 });
  expect(refused).toMatchObject({ kind: 'rateLimited', httpStatus: 429, parameters: { seconds: 12 } });
  expect(refused.envelope()).toMatchObject({
    statusCode: 'RATE_LIMITED',
    message: 'Too many requests. Please try again in 12 seconds.',
    error: { retryAfterSeconds: 12 },
  });
});
