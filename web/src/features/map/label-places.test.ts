import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBaseMap } from './base-map.ts';
import { placeLabels } from './label-places.ts';

const file = new URL('../../../public/map/mg/fine.json', import.meta.url);
const base = await readBaseMap(JSON.parse(readFileSync(file, 'utf8')));
const measure = (text: string) => text.length * 7;
const everywhere = (zoom: number) => {
  const size = 256 * 2 ** zoom;
  return placeLabels(base, zoom, measure).within({
    minX: size * 0.61,
    maxX: size * 0.65,
    minY: size * 0.52,
    maxY: size * 0.58,
  });
};

test('MAP-1 labels are chosen by rank and zoom, and do not overlap', () => {
  const counts = [5, 7, 9, 11].map((zoom) => {
    const labels = everywhere(zoom).sort((one, other) => one.minX - other.minX);
    const over: string[] = [];
    for (const [index, one] of labels.entries()) {
      for (let next = index + 1; next < labels.length; next += 1) {
        const other = labels[next];
        if (!other || other.minX >= one.maxX) break;
        if (one.minY < other.maxY && other.minY < one.maxY) over.push(`${one.text} and ${other.text} at ${zoom}`);
      }
    }
    expect(over).toEqual([]);
    return labels.filter(({ style }) => style === 'place').length;
  });
  expect(counts[0]).toBeGreaterThanOrEqual(5);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  expect(everywhere(5).map(({ text }) => text)).toContain('Antananarivo');
  expect(everywhere(5).some(({ text }) => text === 'Ambohibary')).toBe(false);
});
