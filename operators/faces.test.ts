import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadPack } from './load-pack.ts';

const sheet = readFileSync(new URL('../web/src/ui/tokens.css', import.meta.url), 'utf8');
/** The first values of the sheet are those of the light theme, which a pack replaces. */
const builtIn = (name: string) => new RegExp(`--${name}: ([^;]+);`).exec(sheet)?.[1] ?? '';

const packs = await Promise.all(['mg', 'ng', 'cd'].map((code) => loadPack(code)));
const faces = packs.map(({ code, brand }) => ({
  code,
  mark: brand.mark ?? 'the flame',
  token: (name: string) => brand.tokens[name] ?? builtIn(name),
}));

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('each operator has its own mark, drawing, corners and both colours', () => {
  for (const name of ['flame', 'night', 'second', 'drawing', 'radius-card', 'radius-field']) {
    const values = faces.map(({ token }) => token(name));
    expect(values.every(Boolean), name).toBe(true);
    expect(new Set(values).size, name).toBe(faces.length);
  }
  expect(new Set(faces.map(({ mark }) => mark)).size).toBe(faces.length);
});

test.each(faces)('the text of $code has enough contrast', ({ token }) => {
  const pairs: [string, string, number][] = [
    ['on-flame', 'flame', 4.5],
    ['on-flame', 'flame-strong', 4.5],
    ['flame-strong', 'flame-soft', 4.5],
    ['flame-bright', 'flame-ember', 4.5],
    ['on-night', 'night', 7],
    ['night-muted', 'night', 7],
    ['second', 'night', 4.5],
    ['flame-bright', 'night', 4.5],
    ['ink', 'paper', 7],
    ['heading', 'paper', 7],
  ];
  for (const [front, back, least] of pairs) {
    const colour = token(front === 'heading' ? 'night' : front);
    expect(contrast(colour, token(back)), `${front} on ${back}`).toBeGreaterThanOrEqual(least);
  }
});

const [, dark = ''] = sheet.split(':root[data-theme="dark"]');
const atNight = (name: string) => new RegExp(`--${name}: (#[^;]+);`).exec(dark)?.[1] ?? '';

test.each(faces)(
  'amounts and states of $code have a contrast of 7:1 on every background, in light and dark',
  ({ token }) => {
    for (const ground of ['paper', 'sand', 'success-soft', 'failure-soft', 'process-soft', 'info-soft'])
      for (const front of ['ink', 'heading']) {
        const byDay = token(front === 'heading' ? 'night' : front);
        expect(contrast(byDay, token(ground)), `${front} on ${ground} by day`).toBeGreaterThanOrEqual(7);
        expect(contrast(atNight(front), atNight(ground)), `${front} on ${ground} by night`).toBeGreaterThanOrEqual(7);
      }
  },
);

test.each(faces)('the drawing of $code is a complete inline SVG', ({ token }) => {
  const encoded = /^url\("data:image\/svg\+xml,([^"]+)"\)$/.exec(token('drawing'))?.[1] ?? '';
  const svg = decodeURIComponent(encoded);
  expect(svg).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' viewBox='0 0 240 240'.*<\/svg>$/);
  expect(svg.length).toBeLessThan(1_000);
});
