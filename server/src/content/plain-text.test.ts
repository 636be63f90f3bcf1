import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { attackPayloads } from './attack-payloads.fixture.ts';
import { cleanPackage, storablePackage } from './clean-package.ts';
import { plainText, storedHtml, storedMarkdown } from './plain-text.ts';
import { sanitise } from './sanitise.ts';

const tag = /<\/?[a-z][^<>]*>/i;

describe('CNS-10 (signs) a text', () => {
  test.each([
    'I <3 you',
    'Less < than & more?',
    'Tom & Jerry: 5 < 6, 7 > 6, x<y and AT&T &amp; &lt;',
    'up to <10 GB',
    '<',
    '<<<>>>',
    'half a <!-- comment',
  ])('keeps its signs: %s', (text) => {
    expect(plainText(text)).toBe(text);
    expect(storablePackage({ note: text })).toEqual({ note: text });
    expect(cleanPackage({ note: text })).toEqual({ note: text });
  });

  test('loses its tags, and the words of those that were never meant to be read', () => {
    expect(plainText('Tom & Jerry <b>bold</b> 5 < 6')).toBe('Tom & Jerry bold 5 < 6');
    expect(plainText('Hi<script>if (1 < 2) alert("&")</script> & bye')).toBe('Hi & bye');
    expect(plainText('<a title="<" onclick=x>in</a>')).toBe('in');
    expect(plainText('<<b></b>script>alert(1)</script>')).not.toMatch(tag);
    expect(plainText('\uE000b\uE001 <b>')).toBe('b ');
  });
});

describe('CNS-10 (signs) Markdown', () => {
  test.each([
    'Dial *123# if credit < 500 & > 100 `a<b`',
    '> quoted & `<b>` <https://example.mg/?a=1&b=2>',
    'Write <care@example.mg>\n\n```\n<script>x && y</script>\n```\n\nand `<i>`',
    '- one\n\n      <b>code</b> & more\n',
    'I <3 you, **5 < 6**',
  ])('is kept as it was typed: %s', (text) => {
    expect(storedMarkdown(text)).toBe(text);
    expect(storablePackage({ title: 'x', markdown: text })).toEqual({ title: 'x', markdown: text });
    expect(storablePackage({ questions: [{ answer: text }] })).toEqual({ questions: [{ answer: text }] });
  });

  test('is shown whole', () => {
    expect(cleanPackage({ title: '5 < 6', markdown: 'Credit < 500 & > 100 `a<b`' })).toEqual({
      title: '5 < 6',
      html: '<p>Credit &lt; 500 &amp; &gt; 100 <code>a&lt;b</code></p>\n',
    });
  });

  test('loses its script where it is no code', () => {
    expect(storedMarkdown('Hi<script>alert(1)</script> `<script>`')).toBe('Hi `<script>`');
  });
});

test('CNS-10 (signs) the label of a box to tick is HTML, and sanitised when it is shown', () => {
  const field = (label: string) => ({ type: 'checkbox', label });
  const written = 'I agree & read <a href="/privacy-policy">Privacy</a><script>x</script>';
  expect(storablePackage(field(written))).toEqual(field('I agree & read <a href="/privacy-policy">Privacy</a>'));
  expect(cleanPackage(field(written))).toEqual(field('I agree &amp; read <a href="/privacy-policy">Privacy</a>'));
  expect(cleanPackage({ type: 'text', label: 'a <b>b</b> & c < d' })).toEqual({ type: 'text', label: 'a b & c < d' });
});

test('SEC-10 no attack leaves a tag in a plain text, and a second time changes nothing', () => {
  for (const payload of attackPayloads)
    for (const text of [payload, `5 < 6 & ${payload} > 4`, payload.replaceAll('<', '<<b>')]) {
      const once = plainText(text);
      expect(once, text).not.toMatch(tag);
      expect(plainText(once), text).toBe(once);
    }
});

test('SEC-10 what is kept of an attack in Markdown or HTML is shown sanitised, and kept the same the second time', () => {
  for (const payload of attackPayloads)
    for (const text of [payload, `\`a<b\` 5 < 6 & ${payload}`]) {
      for (const kept of [storedMarkdown, storedHtml]) expect(kept(kept(text)), text).toBe(kept(text));
      const { html } = cleanPackage({ title: '', markdown: storedMarkdown(text) }) as { html: string };
      expect(html).toBe(sanitise(marked.parse(storedMarkdown(text), { async: false })));
      expect(html.replaceAll(/"[^"]*"/g, '""'), text).not.toMatch(
        /<(?:script|iframe|svg|style|object|embed|form|input|math)|<[^>]* on\w+=/i,
      );
    }
});
