import { describe, expect, test } from 'vitest';
import { cleanedHtml, isHarmless } from './trusted.ts';

describe('SEC-29 allowed markup', () => {
  test.each([
    '',
    '12 km',
    '<svg/>',
    '<span>7</span>',
    '<span aria-hidden="true">&#215;</span>',
    '© Somebody <span aria-hidden="true">|</span> <a href="https://maps.example/licence" target="_blank">Maps</a>',
  ])('%j', (html) => expect(isHarmless(html)).toBe(true));
});

describe('SEC-29 refused markup', () => {
  test.each([
    '<script>run()</script>',
    '<img src=x onerror=run()>',
    '<span onclick="run()">7</span>',
    '<span title="a" onclick="run()">7</span>',
    '<a href="javascript:run()">here</a>',
    '<a href=https://x onclick=run()>here</a>',
    '<svg onload=run()>',
    '<svg/onload=run()>',
    '<a href="https:" onclick="run()" title="x">here</a>',
    '<!--',
    '<span',
  ])('%j', (html) => expect(isHarmless(html)).toBe(false));
});

test('without Trusted Types text is returned unchanged', () => {
  expect(cleanedHtml('<b>bold</b>')).toEqual({ __html: '<b>bold</b>' });
});
