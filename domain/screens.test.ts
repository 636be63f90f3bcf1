import { expect, test } from 'vitest';
import { paths } from './paths.ts';
import { disallowedPaths, indexedPaths, isOffered, offeredPaths, pageCaching, screenAt, screens } from './screens.ts';

const brand = { slug: 'acme' } as Parameters<typeof isOffered>[1]['brand'];
const features = { storeFinder: true, contactSection: true } as Parameters<typeof isOffered>[1]['features'];
const site = { brand, features };
const production = { gallery: false };

test('APP-1 APP-2 every defined path belongs to one screen, except those that are not pages and the unknown one', () => {
  const owned = screens.flatMap((screen) => screen.paths(brand.slug));
  expect(new Set(owned).size).toBe(owned.length);
  const others: string[] = [paths.pageNotFound, paths.leave, paths.worker];
  expect(Object.values(paths).filter((path) => !owned.includes(path))).toEqual(others);
});

test.each(screens)('the screen $name is shown at its paths, and below them if it declares so', (screen) => {
  for (const path of screen.paths(brand.slug)) {
    expect(screenAt(path, site, { gallery: true })?.name).toBe(screen.name);
    // Every path below /payment belongs to a payment.
    if (!path.startsWith(`${paths.payment}/`)) expect(screenAt(`${path}x`, site, { gallery: true })).toBeNull();
    if (path === paths.home) continue;
    const below = screenAt(`${path}/below`, site, { gallery: true });
    if (screen.hasPagesBelow) expect(below?.name).toBe(screen.name);
    else expect(below).toBeNull();
  }
});

test.each(screens)('sitemap, robots and the worker’s table have of $name what it declares', (screen) => {
  const { noindex = false, isForDevelopment = false, cache, hasPagesBelow = false } = screen;
  for (const path of screen.paths(brand.slug)) {
    expect(screenAt(path, site, production) === null).toBe(isForDevelopment);
    expect(offeredPaths(site).includes(path)).toBe(!isForDevelopment);
    expect(indexedPaths(site).includes(path)).toBe(!noindex);
    const isDisallowed = disallowedPaths(brand.slug).some((rule) => `${path}/`.startsWith(rule));
    expect(isDisallowed).toBe(noindex && !isForDevelopment);
    expect(pageCaching(site)[path]).toEqual(
      isForDevelopment ? undefined : { query: cache === 'never' ? null : cache, hasPagesBelow },
    );
  }
});

test('pages about a payment are neither indexed nor cached, and may redirect to a gateway', () => {
  for (const path of [paths.payment, paths.paymentStart, paths.paymentStatus, `${paths.paymentStatus}/1`])
    expect(screenAt(path, site, production)).toMatchObject({ noindex: true, cache: 'never', policy: {} });
  expect(screens.filter(({ policy }) => policy?.popup).map(({ name }) => name)).toEqual(['payment']);
});

test.each(screens.flatMap((screen) => (screen.feature ? [{ ...screen, feature: screen.feature }] : [])))(
  'D21 where the pack switches $feature off, $name is nobody’s, and no list has it',
  ({ name, feature }) => {
    const off = { brand, features: { ...features, [feature]: false } };
    for (const path of screens.flatMap((screen) => screen.paths(brand.slug))) {
      const isOwn = screenAt(path, site, { gallery: true })?.feature === feature;
      expect(isOffered(path, off), path).toBe(!isOwn);
      if (!isOwn) continue;
      expect(screenAt(path, off, production), path).toBeNull();
      expect(indexedPaths(off)).not.toContain(path);
      expect(pageCaching(off)).not.toHaveProperty([path]);
    }
    expect(screens.find((screen) => screen.name === name)?.paths(brand.slug)).not.toEqual([]);
  },
);

test('URLs of other sites, and unknown paths, are not withheld', () => {
  for (const path of ['https://acme.example/', '/nobody', 'tel:123'])
    expect([isOffered(path, site), screenAt(path, site, production)]).toEqual([true, null]);
});
