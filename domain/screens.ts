import type { PublicPack } from './operator.ts';
import { moneyPath, paths, paymentMethodPath, shopsPath } from './paths.ts';

/** Everything about a screen except its code. Routes, sitemap, policy and caching follow from it. */
interface ScreenDescriptor {
  /** Paths without language prefix; some contain the brand's slug. */
  paths: (slug: string) => readonly string[];
  /** Every path below these shows it too. */
  hasPagesBelow?: true;
  /** Its folder in web/src/screens. */
  folder: string;
  /** Text key of the title. */
  title: string;
  /** Namespaces of texts beyond the common ones. */
  texts: readonly string[];
  /** Lazy modules that the server may render: the page includes their styles. */
  parts?: readonly string[];
  /** The page exists only if the operator enabled this feature. */
  feature?: 'storeFinder' | 'contactSection';
  /** Shows the operator's announcements. */
  isAnnouncedOn?: true;
  /** Search engines are kept away, by the sitemap, robots.txt and the page itself. */
  noindex?: true;
  /** Query parameters that a cached copy in the service worker may have; `never` for personal pages. */
  cache: readonly string[] | 'never';
  /** The service worker precaches its script, and that of these modules. */
  precached?: readonly string[];
  /** Its forms may redirect to a gateway's page; at `popup` the gateway's own script runs. */
  policy?: { popup: string | null };
  /** Not in production. */
  isForDevelopment?: true;
}

const lineBundles = ['src/features/bundle-list/line-bundles.tsx'];

/** Several paths show the operator's own content, each with its own title. */
const contentPage = { folder: 'content-page', texts: ['pages'], cache: [] } as const;

const descriptors = {
  home: {
    paths: () => [paths.home],
    folder: 'home',
    title: 'home.title',
    isAnnouncedOn: true,
    texts: ['home', 'recent', 'recharge', 'bundles'],
    parts: ['src/screens/home/home-sections.tsx'],
    cache: [],
    precached: ['src/screens/home/home-sections.tsx'],
  },
  prepaidRecharge: {
    paths: () => [paths.prepaidRecharge],
    folder: 'prepaid-recharge',
    title: 'recharge.title',
    texts: ['recharge', 'bundles'],
    cache: [],
    precached: [],
  },
  dataBundle: {
    paths: () => [paths.dataBundle],
    folder: 'data-bundle',
    title: 'bundles.title',
    texts: ['bundles', 'recharge'],
    parts: lineBundles,
    cache: ['product'],
  },
  tariffTable: {
    paths: () => [paths.tariffTable],
    folder: 'tariff-table',
    title: 'table.title',
    texts: ['table', 'bundles'],
    cache: [],
  },
  postpaidBillPay: {
    paths: () => [paths.postpaidBillPay],
    folder: 'postpaid-bill-pay',
    title: 'postpaid.title',
    texts: ['postpaid', 'recharge', 'otp', 'challenge'],
    parts: ['src/screens/postpaid-bill-pay/bill-summary.tsx'],
    cache: [],
  },
  broadbandRecharge: {
    paths: () => [paths.broadbandRecharge],
    folder: 'broadband-recharge',
    title: 'broadband.title',
    texts: ['broadband', 'bundles', 'recharge', 'otp', 'challenge'],
    parts: lineBundles,
    cache: [],
  },
  fixedInternet: {
    paths: () => [paths.fixedInternet],
    folder: 'fixed-internet',
    title: 'fixed.title',
    texts: ['fixed', 'challenge'],
    cache: [],
  },
  homeBroadband: {
    paths: () => [paths.homeBroadband],
    folder: 'hbb-lead',
    title: 'lead.title',
    texts: ['lead', 'bundles', 'otp', 'challenge', 'map'],
    cache: [],
  },
  homeBroadbandStatus: {
    paths: () => [paths.homeBroadbandStatus],
    folder: 'hbb-lead-status',
    title: 'lead.status.title',
    texts: ['lead'],
    cache: [],
  },
  help: {
    paths: () => [paths.help],
    hasPagesBelow: true,
    folder: 'help',
    title: 'help.title',
    isAnnouncedOn: true,
    texts: ['help'],
    cache: [],
    precached: ['src/screens/help/help-search.ts'],
  },
  openNetworks: {
    paths: () => [paths.openNetworks],
    folder: 'open-networks',
    title: 'coverage.title',
    texts: ['coverage', 'map'],
    cache: ['q', 'technology'],
  },
  storeLocator: {
    paths: () => [paths.storeLocator, paths.storeLocatorAlias],
    folder: 'store-locator',
    title: 'stores.title',
    texts: ['stores', 'map'],
    feature: 'storeFinder',
    cache: ['q'],
  },
  shopList: {
    paths: (slug) => [shopsPath(slug)],
    folder: 'shop-list',
    title: 'stores.shopsTitle',
    texts: ['stores'],
    feature: 'storeFinder',
    cache: [],
    precached: [],
  },
  dealerList: {
    paths: () => [paths.dealers],
    folder: 'shop-list',
    title: 'stores.dealersTitle',
    texts: ['stores'],
    feature: 'storeFinder',
    cache: [],
  },
  about: { paths: () => [paths.about], folder: 'about', title: 'about.pageTitle', texts: ['about'], cache: [] },
  contactUs: {
    ...contentPage,
    paths: () => [paths.contactUs],
    title: 'pages.contactUs',
    feature: 'contactSection',
  },
  privacy: { ...contentPage, paths: () => [paths.privacy], title: 'pages.privacy' },
  mobileMoney: { ...contentPage, paths: (slug) => [moneyPath(slug)], title: 'pages.money' },
  feedback: {
    paths: () => [paths.feedback],
    folder: 'feedback',
    title: 'feedback.pageTitle',
    texts: ['feedback'],
    cache: [],
  },
  paymentStatus: {
    paths: () => [paths.paymentStatus],
    hasPagesBelow: true,
    folder: 'payment-status',
    title: 'status.title',
    texts: ['status', 'payment'],
    parts: ['src/screens/payment-status/question.tsx'],
    noindex: true,
    cache: 'never',
    policy: { popup: null },
  },
  payment: {
    paths: () => [paths.payment, paths.paymentStart],
    hasPagesBelow: true,
    folder: 'payment',
    title: 'payment.title',
    isAnnouncedOn: true,
    texts: ['payment', 'otp', 'challenge'],
    noindex: true,
    cache: 'never',
    policy: { popup: paymentMethodPath('card') },
  },
  offline: {
    paths: () => [paths.offline],
    folder: 'offline',
    title: 'offline.title',
    texts: ['offline'],
    noindex: true,
    cache: [],
    precached: [],
  },
  uiGallery: {
    paths: () => [paths.uiGallery],
    folder: 'ui-gallery',
    title: 'common.componentPage',
    texts: [],
    noindex: true,
    cache: [],
    isForDevelopment: true,
  },
} as const satisfies Record<string, ScreenDescriptor>;

export type ScreenName = keyof typeof descriptors;
export type ScreenFolder = (typeof descriptors)[ScreenName]['folder'];
export type Screen = ScreenDescriptor & { name: ScreenName; folder: ScreenFolder };

export const screens: readonly Screen[] = (Object.keys(descriptors) as ScreenName[]).map((name) => ({
  name,
  ...descriptors[name],
}));

/** The screen of an unknown path. */
export const unknownAddress: Screen = { name: 'about', ...descriptors.about };

type Site = Pick<PublicPack, 'brand' | 'features'>;

/** The screen of a path, whether or not this operator offers it. */
function owner(path: string, slug: string): Screen | null {
  const exact = screens.find((screen) => screen.paths(slug).includes(path));
  return (
    exact ??
    screens.find(
      ({ hasPagesBelow, paths: own }) => hasPagesBelow && own(slug).some((each) => path.startsWith(`${each}/`)),
    ) ??
    null
  );
}

const isOn = ({ feature }: Screen, { features }: Site): boolean => !feature || features[feature];

/** False for a page that this operator has disabled. True for paths that belong to no screen. */
export function isOffered(path: string, site: Site): boolean {
  const screen = owner(path, site.brand.slug);
  return !screen || isOn(screen, site);
}

/** The screen that a path shows; null for an unknown path. */
export function screenAt(path: string, site: Site, { gallery }: { gallery: boolean }): Screen | null {
  const screen = owner(path, site.brand.slug);
  return screen && isOn(screen, site) && (gallery || !screen.isForDevelopment) ? screen : null;
}

/** Every defined path that is shown in production. */
export function offeredPaths(site: Site, wanted: (screen: Screen) => boolean = () => true): string[] {
  return screens
    .filter((screen) => !screen.isForDevelopment && isOn(screen, site) && wanted(screen))
    .flatMap((screen) => screen.paths(site.brand.slug));
}

/** Those of them that search engines may index. */
export const indexedPaths = (site: Site): string[] => offeredPaths(site, ({ noindex }) => !noindex);

/** Paths for robots.txt to disallow, without those below another. */
export function disallowedPaths(slug: string): string[] {
  const all = screens
    .filter(({ noindex, isForDevelopment }) => noindex && !isForDevelopment)
    .flatMap(({ paths: own, hasPagesBelow }) => own(slug).map((path) => (hasPagesBelow ? `${path}/` : path)));
  return all.filter((path) => !all.some((other) => other !== path && path.startsWith(other)));
}

/** What the service worker may do with a page. */
export interface PageCaching {
  /** Query parameters that a cached copy may have; null where none is cached. */
  query: readonly string[] | null;
  hasPagesBelow: boolean;
}

export function pageCaching(site: Site): Record<string, PageCaching> {
  return Object.fromEntries(
    screens
      .filter((screen) => !screen.isForDevelopment && isOn(screen, site))
      .flatMap(({ paths: own, cache, hasPagesBelow = false }) =>
        own(site.brand.slug).map((path) => [path, { query: cache === 'never' ? null : cache, hasPagesBelow }]),
      ),
  );
}
