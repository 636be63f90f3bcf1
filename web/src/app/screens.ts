import type { PublicPack } from '@portal/domain/operator.ts';
import { isOffered, moneyPath, paths, shopsPath } from '../lib/paths.ts';
import type { ScreenModule } from '../lib/screen.ts';

export interface ScreenEntry {
  /** As the build's manifest names it. */
  module: string;
  import: () => Promise<ScreenModule>;
  /** Modules with scripts of their own that the server may draw: the page brings their styles. */
  parts: readonly string[];
  /** Namespaces of texts beyond the common ones. */
  texts: readonly string[];
  /** Text key of the title. */
  title: string;
}

const screen = (
  folder: string,
  load: ScreenEntry['import'],
  texts: string[],
  title: string,
  parts: string[] = [],
): ScreenEntry => ({
  module: `src/screens/${folder}/${folder}.screen.tsx`,
  import: load,
  parts,
  texts,
  title,
});

const lineBundles = ['src/features/bundle-list/line-bundles.tsx'];

/** Several addresses show the operator's own words, each under its own title. */
const contentPage = (title: string) =>
  screen('content-page', () => import('../screens/content-page/content-page.screen.tsx'), ['pages'], title);

export const screens = {
  home: screen(
    'home',
    () => import('../screens/home/home.screen.tsx'),
    ['home', 'recent', 'recharge', 'bundles'],
    'home.title',
  ),
  prepaidRecharge: screen(
    'prepaid-recharge',
    () => import('../screens/prepaid-recharge/prepaid-recharge.screen.tsx'),
    ['recharge', 'bundles'],
    'recharge.title',
  ),
  dataBundle: screen(
    'data-bundle',
    () => import('../screens/data-bundle/data-bundle.screen.tsx'),
    ['bundles', 'recharge'],
    'bundles.title',
    lineBundles,
  ),
  tariffTable: screen(
    'tariff-table',
    () => import('../screens/tariff-table/tariff-table.screen.tsx'),
    ['table', 'bundles'],
    'table.title',
  ),
  postpaidBillPay: screen(
    'postpaid-bill-pay',
    () => import('../screens/postpaid-bill-pay/postpaid-bill-pay.screen.tsx'),
    ['postpaid', 'recharge', 'otp', 'challenge'],
    'postpaid.title',
    ['src/screens/postpaid-bill-pay/bill-summary.tsx'],
  ),
  broadbandRecharge: screen(
    'broadband-recharge',
    () => import('../screens/broadband-recharge/broadband-recharge.screen.tsx'),
    ['broadband', 'bundles', 'recharge', 'otp', 'challenge'],
    'broadband.title',
    lineBundles,
  ),
  fixedInternet: screen(
    'fixed-internet',
    () => import('../screens/fixed-internet/fixed-internet.screen.tsx'),
    ['fixed', 'challenge'],
    'fixed.title',
  ),
  payment: screen(
    'payment',
    () => import('../screens/payment/payment.screen.tsx'),
    ['payment', 'otp', 'challenge'],
    'payment.title',
  ),
  paymentStatus: screen(
    'payment-status',
    () => import('../screens/payment-status/payment-status.screen.tsx'),
    ['status', 'payment'],
    'status.title',
  ),
  homeBroadband: screen(
    'hbb-lead',
    () => import('../screens/hbb-lead/hbb-lead.screen.tsx'),
    ['lead', 'bundles', 'otp', 'challenge', 'map'],
    'lead.title',
  ),
  homeBroadbandStatus: screen(
    'hbb-lead-status',
    () => import('../screens/hbb-lead-status/hbb-lead-status.screen.tsx'),
    ['lead'],
    'lead.status.title',
  ),
  help: screen('help', () => import('../screens/help/help.screen.tsx'), ['help'], 'help.title'),
  about: screen('about', () => import('../screens/about/about.screen.tsx'), ['about'], 'about.pageTitle'),
  contactUs: contentPage('pages.contactUs'),
  mobileMoney: contentPage('pages.money'),
  privacy: contentPage('pages.privacy'),
  feedback: screen(
    'feedback',
    () => import('../screens/feedback/feedback.screen.tsx'),
    ['feedback'],
    'feedback.pageTitle',
  ),
  openNetworks: screen(
    'open-networks',
    () => import('../screens/open-networks/open-networks.screen.tsx'),
    ['coverage', 'map'],
    'coverage.title',
  ),
  storeLocator: screen(
    'store-locator',
    () => import('../screens/store-locator/store-locator.screen.tsx'),
    ['stores', 'map'],
    'stores.title',
  ),
  shopList: screen(
    'shop-list',
    () => import('../screens/shop-list/shop-list.screen.tsx'),
    ['stores'],
    'stores.shopsTitle',
  ),
  dealerList: screen(
    'shop-list',
    () => import('../screens/shop-list/shop-list.screen.tsx'),
    ['stores'],
    'stores.dealersTitle',
  ),
  offline: screen('offline', () => import('../screens/offline/offline.screen.tsx'), ['offline'], 'offline.title'),
  uiGallery: screen(
    'ui-gallery',
    () => import('../screens/ui-gallery/ui-gallery.screen.tsx'),
    [],
    'common.componentPage',
  ),
} satisfies Record<string, ScreenEntry>;

export type ScreenName = keyof typeof screens;

/** The addresses that are spelt out; a payment has more below it. */
function pagesOf(slug: string, options: { gallery: boolean }): Record<string, ScreenName> {
  return {
    [paths.home]: 'home',
    [paths.prepaidRecharge]: 'prepaidRecharge',
    [paths.dataBundle]: 'dataBundle',
    [paths.tariffTable]: 'tariffTable',
    [paths.postpaidBillPay]: 'postpaidBillPay',
    [paths.broadbandRecharge]: 'broadbandRecharge',
    [paths.fixedInternet]: 'fixedInternet',
    [paths.homeBroadband]: 'homeBroadband',
    [paths.homeBroadbandStatus]: 'homeBroadbandStatus',
    [paths.help]: 'help',
    [paths.openNetworks]: 'openNetworks',
    [paths.storeLocator]: 'storeLocator',
    [paths.storeLocatorAlias]: 'storeLocator',
    [shopsPath(slug)]: 'shopList',
    [paths.dealers]: 'dealerList',
    [paths.about]: 'about',
    [paths.contactUs]: 'contactUs',
    [paths.privacy]: 'privacy',
    [moneyPath(slug)]: 'mobileMoney',
    [paths.feedback]: 'feedback',
    [paths.payment]: 'payment',
    [paths.paymentStart]: 'payment',
    [paths.paymentStatus]: 'paymentStatus',
    [paths.offline]: 'offline',
    ...(options.gallery ? { [paths.uiGallery]: 'uiGallery' as const } : {}),
  };
}

/** Of those, the ones worth finding by a search. */
export function indexedPaths(operator: PublicPack): string[] {
  const pages = Object.entries(pagesOf(operator.brand.slug, { gallery: false }));
  return pages
    .filter(([path, name]) => !/^(payment|offline)/.test(name) && isOffered(path, operator))
    .map(([path]) => path);
}

/** Their scripts are kept ahead of time: the page without network, what people come for, and where they find help then. */
export const precachedModules = [
  'src/app/lazy-parts.ts',
  'src/screens/home/home-sections.tsx',
  'src/screens/help/help-search.ts',
  ...[screens.offline, screens.home, screens.prepaidRecharge, screens.help, screens.shopList].map(
    ({ module }) => module,
  ),
];

/** Which screen an address shows; null for an address that is nobody's. */
export function screenAt(path: string, operator: PublicPack, options: { gallery: boolean }): ScreenName | null {
  if (!isOffered(path, operator)) return null;
  const found = pagesOf(operator.brand.slug, options)[path];
  if (found) return found;
  if (path.startsWith(`${paths.help}/`)) return 'help';
  if (path.startsWith(`${paths.paymentStatus}/`)) return 'paymentStatus';
  return path.startsWith(`${paths.payment}/`) ? 'payment' : null;
}
