import { describe, expect, test } from 'vitest';
import { attackPayloads } from './attack-payloads.fixture.ts';
import { sanitise } from './sanitise.ts';

const tag =
  /<\/?(?:h[234]|p|br|hr|blockquote|ul|ol|li|dl|dt|dd|strong|em|b|i|u|s|small|sub|sup|code|abbr|span|a|img|table|caption|thead|tbody|tr|th|td)(?: (?:href|rel|src|alt|width|height|title|scope|colspan|rowspan)="[^"<>]*")*(?: \/)?>/g;
const address = / (?:href|src)="([^"]*)"/g;

const decoded = (text: string) =>
  text
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Parses the output strictly: allowed tags with quoted, allowed attributes, and no other angle bracket. */
function expectHarmless(html: string, payload: string) {
  expect(html.replaceAll(tag, ''), payload).not.toMatch(/[<>]/);
  for (const [, value = ''] of html.matchAll(address))
    expect(decoded(value), payload).toMatch(/^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/);
}

test('SEC-10 there are at least 200 different attacks', () => {
  expect(new Set(attackPayloads).size).toBeGreaterThanOrEqual(200);
});

test('SEC-10 nothing dangerous is left of any of them', () => {
  for (const payload of attackPayloads) expectHarmless(sanitise(payload), payload);
});

test('SEC-10 a second time changes nothing, so that what was cleaned when stored is shown as it was', () => {
  for (const payload of attackPayloads) {
    const once = sanitise(payload);
    expect(sanitise(once), payload).toBe(once);
  }
});

test('SEC-10 nor when an attack stands inside good content, or two stand together', () => {
  for (const [place, payload] of attackPayloads.entries()) {
    const other = attackPayloads[(place * 7 + 3) % attackPayloads.length] ?? '';
    expectHarmless(sanitise(`<p>Good <a href="/x">words ${payload}</a></p><ul><li>${other}</li></ul>`), payload);
    expectHarmless(sanitise(payload + other), payload);
  }
});

test('the check would see what it looks for', () => {
  for (const html of ['<script>', '<p onclick="x">', '<a href="javascript:x">', '<img src=x>', '<svg>', '1 < 2'])
    expect(() => expectHarmless(html, html), html).toThrow();
});

describe('good content stays', () => {
  test.each([
    '<p>Call <strong>300</strong>, or <em>write</em>.</p>',
    '<ul><li>one</li><li>two</li></ul>',
    '<a href="/prepaid-recharge?amount=500">Recharge</a>',
    '<a href="tel:300">300</a>',
    '<a href="#part">below</a>',
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    '<p>Ampifandraiso : « tsy misy » – 1 000 Ar &amp; 2 &lt; 3</p>',
    '<img src="/assets/content/box.png" alt="A box" width="10" height="20" />',
  ])('%s', (html) => {
    expect(sanitise(html)).toBe(html);
  });

  test('a link to another site says nothing about ours', () => {
    expect(sanitise('<a href="https://example.mg/x" target="_blank" rel="opener">x</a>')).toBe(
      '<a href="https://example.mg/x" rel="noopener noreferrer">x</a>',
    );
  });

  test('words stay where only their tag goes', () => {
    expect(sanitise('<div class="x">kept <font color="red">too</font></div>')).toBe('kept too');
    expect(sanitise('a<script>gone</script>b<style>gone</style>c<iframe>gone</iframe>d')).toBe('abcd');
  });
});
