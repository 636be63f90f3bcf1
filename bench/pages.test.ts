import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSlowLine, type SlowLine } from './slow-line.ts';

// `npm run bench:pages` measures times on an idle machine. These tests check what the times depend on, which is the
// same on a busy machine: which requests are made, when, and their size.
let line: SlowLine;
beforeAll(async () => {
  line = await openSlowLine();
});
afterAll(() => line.close());

/** At 400 kbit/s and 400 ms, 1.2 times the time of a bare React page is about 1.4 times its bytes. */
const mostOfBare = 1.4;

for (const path of ['/', '/prepaid-recharge', '/data-bundle', '/postpaid-bill-pay', '/gethelp'])
  test(`PRF-2 (what its times are made of; the times by npm run bench:pages) ${path} on slow 3G: the form is there before any script is asked for, nothing moves, and what hydrates it is asked for at once and is at most 1.4 times the bytes of a bare React page`, async () => {
    const real = await line.visit('real', path);
    const bare = await line.visit('bare', path);
    expect(real.usableMs).toBeGreaterThan(0);
    expect(real.scripts.firstAskedMs).toBeGreaterThanOrEqual(real.arrivedMs);
    expect(real.layoutShift, real.moved.join('\n')).toBeLessThan(0.01);
    // One round trip: no script has to load before the next is requested.
    expect(real.scripts.lastAskedMs).toBeLessThan(real.scripts.firstArrivedMs);
    expect(real.scripts.bytes / bare.scripts.bytes).toBeLessThan(mostOfBare);
    expect(real.hydratedMs).not.toBeNull();
  });

const phones = [
  { width: 360, height: 740 },
  // Lighthouse's phone.
  { width: 412, height: 823 },
];
/** Requests of the map: script, shapes, sites and pictures. */
const ofTheMap = /map-parts|\/map\/|fetch-sites/;

for (const path of ['/store-locator', '/openNetworks'])
  test(`PRF-8 (what its figure is made of; the figure by npm run bench:lighthouse -- --maps) ${path} with its map: towns and what is known of them are in the page before any script, nothing moves, its scripts are at most half as much again as a bare React page, and no script, shape or site of the map is asked for before it is looked at`, async () => {
    const slow = await line.visit('real', path);
    const bare = await line.visit('bare', path);
    expect(slow.scripts.firstAskedMs).toBeGreaterThanOrEqual(slow.arrivedMs);
    expect(slow.layoutShift).toBeLessThan(0.01);
    expect(slow.scripts.lastAskedMs).toBeLessThan(slow.scripts.firstArrivedMs);
    expect(slow.scripts.bytes / bare.scripts.bytes).toBeLessThan(1.5);
    for (const phone of phones) {
      const { html, before, after } = await line.visitMap(path, phone);
      const words = html.replace(/<script[\s>][\s\S]*?<\/script>/g, '').replace(/<[^>]*>/g, '');
      expect(words).toMatch(path === '/openNetworks' ? /Antsirabe\s+[2-5]G/ : /Antsirabe/);
      expect(before.filter((address) => ofTheMap.test(address))).toEqual([]);
      expect(after.some((address) => /map-parts/.test(address))).toBe(true);
      expect(after).toContain('/map/mg/coarse.json');
    }
  });
