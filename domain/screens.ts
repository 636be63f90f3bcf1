import type { PublicPack } from './operator.ts';
import { moneyPath, paths, paymentMethodPath, shopsPath } from './paths.ts';

/** Everything about a screen that is not its code: what follows from it is listed nowhere else. */
interface ScreenDescriptor {
  /** Addresses without language prefix; some carry the brand's name. */
  paths: (slug: string) => readonly string[];
  /** Every address below these shows it too. */
  hasPagesBelow?: true;
  /** Its folder in web/src/screens. */
  folder: string;
  /** Text key of the title. */
  title: string;
  /** Namespaces of texts beyond the common ones. */
  texts: readonly string[];
  /** Modules with scripts of their own that the server may render: the page brings their styles. */
  parts?: readonly string[];
  /** There is such a page only where the operator switched this on. */
  feature?: 'storeFinder' | 'contactSection';
  /** What the operator tells every customer stands on it. */
  isAnnouncedOn?: true;
  /** Search engines are kept away, by the sitemap, robots.txt and the page itself. */
  noindex?: true;
  /** Query parameters that a copy in the service worker's cache may have; `never` for what is about somebody. */
  cache: readonly string[] | 'never';
  /** The service worker fetches its script ahead of time, and that of these modules. */
  precached?: readonly string[];
  /** Its forms may lead to a gateway's page; at `popup` the gateway's own script runs. */
  policy?: { popup: string | null };
  /** Not in production. */
  isForDevelopment?: true;
}

const lineBundles = ['src/features/bundle-list/line-bundles.tsx'];

/** Several addresses show the operator's own words, each under its own title. */
const contentPage = { folder: 'content-page', texts: ['pages'], cache: [] } as const;

const descriptors = {
  home: {
    paths: () => [paths.home],
    folder: 'home',
    title: 'home.title',
    isAnnouncedOn: true,
    texts: ['home', 'recent', 'recharge', 'bundles'],
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

/** What an address that is nobody's shows. */
export const unknownAddress: Screen = { name: 'about', ...descriptors.about };

type Site = Pick<PublicPack, 'brand' | 'features'>;

/** Which screen has an address, whether or not this operator offers it. */
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

/** False for a page that this operator does not want; other addresses are none of its business. */
export function isOffered(path: string, site: Site): boolean {
  const screen = owner(path, site.brand.slug);
  return !screen || isOn(screen, site);
}

/** Which screen an address shows; null for an address that is nobody's. */
export function screenAt(path: string, site: Site, { gallery }: { gallery: boolean }): Screen | null {
  const screen = owner(path, site.brand.slug);
  return screen && isOn(screen, site) && (gallery || !screen.isForDevelopment) ? screen : null;
}

/** Every address that is spelt out and shown in production. */
export function offeredPaths(site: Site, wanted: (screen: Screen) => boolean = () => true): string[] {
  return screens
    .filter((screen) => !screen.isForDevelopment && isOn(screen, site) && wanted(screen))
    .flatMap((screen) => screen.paths(site.brand.slug));
}

/** Of those, the ones worth finding by a search. */
export const indexedPaths = (site: Site): string[] => offeredPaths(site, ({ noindex }) => !noindex);

/** Where robots need not look; what lies below another is left out. */
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
