import { expect, test } from 'vitest';
import { main, says } from '../../testing/look.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';
import { written } from '../../testing/texts.fixture.ts';

const signsIn = (parent: ParentNode) =>
  [...parent.querySelectorAll<HTMLElement>('[data-sign]')].map(({ dataset }) => dataset.sign);

test.each([
  ['', 'EN'],
  ['/sw', 'FR'],
  ['/mg', 'MG'],
] as const)(
  'the legend beside the map and in the list explains signs and colours in words: “%s”',
  async (prefix, code) => {
    const { coverage } = written[code];
    await openPage(`${prefix}/openNetworks?q=Antsirabe`);
    expect(says(coverage.legend)).toBe(true);
    for (const words of Object.values(coverage.sign)) expect(main().textContent).toContain(words);
    expect(main().textContent).toContain(coverage.colours);
    const [legend, sites] = [...main().querySelectorAll('ul,ol')].filter((list) => signsIn(list).length > 0);
    expect(signsIn(legend as Element)).toEqual(Object.keys(coverage.sign));
    // Each site in the list has the map's symbol, and names its generations in words.
    for (const site of (sites as Element).children)
      expect(signsIn(site)).toEqual([site.textContent?.includes('5G') ? 'fifth' : 'site']);
  },
);
