/** The only place where the portal's paths are defined. `slug` is the brand's. */
export const paths = {
  home: '/',
  about: '/about',
  pageNotFound: '/page-not-found',
  storeLocator: '/storeLocator',
  storeLocatorAlias: '/store-locator',
  openNetworks: '/openNetworks',
  help: '/gethelp',
  tariffTable: '/table',
  prepaidRecharge: '/prepaid-recharge',
  postpaidBillPay: '/postpaid-bill-pay',
  dataBundle: '/data-bundle',
  broadbandRecharge: '/broadband-recharge',
  fixedInternet: '/orp/fixed-internet',
  payment: '/payment',
  paymentStart: '/payment/start',
  paymentStatus: '/payment/status',
  homeBroadband: '/hbb-lead',
  homeBroadbandStatus: '/hbb-lead-status',
  contactUs: '/contact-us',
  dealers: '/store_finder/dealers',
  feedback: '/give_your_feedback',
  privacy: '/privacy-policy',
  uiGallery: '/__ui',
  offline: '/offline',
  /** Posted to: ends the visit of this browser. */
  leave: '/leave',
  worker: '/sw.js',
} as const;

export const shopsPath = (slug: string) => `/store_finder/${slug}_shop`;
export const moneyPath = (slug: string) => `/more-${slug}-money`;
/** A category, a topic in it, a question in that. */
export const helpPath = (...ids: string[]) => [paths.help, ...ids].join('/');
export const paymentMethodPath = (route: string) => `${paths.paymentStart}/${route}`;
export const statusPath = (id: string) => `${paths.paymentStatus}?id=${encodeURIComponent(id)}`;

/** Adds a query to a path, leaving out what is empty. */
export function withQuery(path: string, query: Record<string, string | null | undefined>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}
