export const portalPrefix = '/orp/bfe/api/portal-service';
/** Some clients use the portal's paths without the first two segments. */
export const portalAliasPrefix = '/api/portal-service';
export const authPrefix = '/auth/bfe/api/portal-service';
export const cmsPrefix = '/cms';

/** Prefixes below which nothing is a page. */
export const callPrefixes = [portalPrefix, portalAliasPrefix, authPrefix, cmsPrefix] as const;
export const isCallAddress = (url: string): boolean => callPrefixes.some((prefix) => url.startsWith(`${prefix}/`));

const prefixes = { portal: portalPrefix, auth: authPrefix, cms: cmsPrefix } as const;

/** Responses of `portal` and `auth` have the envelope, responses of `cms` do not. */
export type Service = keyof typeof prefixes;
type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly service: Service };

export const calls = {
  config: { method: 'GET', path: '/resource/v1/config', service: 'portal' },
  productConfig: { method: 'GET', path: '/resource/v1/get-product-config', service: 'portal' },
  cities: { method: 'GET', path: '/resource/v1/cities', service: 'portal' },
  announcements: { method: 'GET', path: '/resource/v1/announcements', service: 'portal' },

  lineType: { method: 'POST', path: '/subscriber/line-type', service: 'portal' },
  validateBrandNumber: { method: 'POST', path: '/subscriber/v1/validate-{slug}-number', service: 'portal' },
  validateAccount: { method: 'POST', path: '/subscriber/validate/msisdn-account', service: 'portal' },
  queryBalance: { method: 'POST', path: '/subscriber/v4/query-balance', service: 'portal' },
  fetchBalance: { method: 'POST', path: '/subscriber/v1/fetch-balance', service: 'portal' },

  bill: { method: 'POST', path: '/subscriber/v1/bill', service: 'portal' },
  openInvoices: { method: 'POST', path: '/subscriber/getopeninvoice', service: 'portal' },

  bundles: { method: 'POST', path: '/product/v1/bundle', service: 'portal' },

  sendInvoiceCode: { method: 'POST', path: '/optimus/otp/send', service: 'portal' },
  resendInvoiceCode: { method: 'POST', path: '/optimus/otp/resend', service: 'portal' },
  verifyInvoiceCode: { method: 'POST', path: '/optimus/otp/verify', service: 'portal' },
  sendCode: { method: 'POST', path: '/otp/v1/send-otp', service: 'portal' },
  resendCode: { method: 'POST', path: '/otp/v1/resend-otp', service: 'portal' },
  verifyCode: { method: 'POST', path: '/otp/v1/verify-otp', service: 'portal' },
  verifyUser: { method: 'POST', path: '/otp/v1/verify-user', service: 'auth' },

  paymentOptions: { method: 'POST', path: '/transaction/v1/payment-options', service: 'portal' },
  paymentOptionsByChannel: { method: 'POST', path: '/transaction/payment-options', service: 'portal' },
  initiate: { method: 'POST', path: '/transaction/v1/initiate', service: 'portal' },
  authInitiate: { method: 'POST', path: '/transaction/v1/auth/initiate', service: 'portal' },
  mpesaInitiate: { method: 'POST', path: '/transaction/v1/mpesa/initiate', service: 'portal' },
  process: { method: 'POST', path: '/transaction/v1/process', service: 'portal' },
  authProcess: { method: 'POST', path: '/transaction/v1/auth/process', service: 'portal' },
  mpesaProcess: { method: 'POST', path: '/transaction/v1/mpesa/process', service: 'portal' },
  transactionStatus: { method: 'GET', path: '/transaction/v1/status', service: 'portal' },
  transactionFetch: { method: 'GET', path: '/transaction/fetch', service: 'portal' },
  exchangeRate: { method: 'GET', path: '/transaction/get/exchange/rate', service: 'portal' },
  paystackCallback: { method: 'GET', path: '/transaction/v1/pg-callback/status/ORP/paystack', service: 'portal' },

  ticket: { method: 'GET', path: '/transaction/v1/ticket', service: 'portal' },
  writeTicket: { method: 'POST', path: '/transaction/v1/ticket/write', service: 'portal' },

  submitLead: { method: 'POST', path: '/subscriber/v1/submit-lead', service: 'portal' },
  trackLead: { method: 'POST', path: '/subscriber/v1/track-lead', service: 'portal' },
  sendLeadCode: { method: 'POST', path: '/subscriber/v1/send-otp-hbb', service: 'portal' },

  saveForm: { method: 'POST', path: '/form/v2/save', service: 'portal' },
  geocode: { method: 'GET', path: '/geo/v1/geocode', service: 'portal' },
  suggestPlaces: { method: 'GET', path: '/geo/v1/suggest', service: 'portal' },
  recordEvent: { method: 'POST', path: '/analytics/v1/event', service: 'portal' },
  recordSearch: { method: 'POST', path: '/analytics/v1/search', service: 'portal' },

  activePackage: { method: 'GET', path: '/webpage/activePackage', service: 'cms' },
  faqs: { method: 'GET', path: '/webpage/getFaqs_pCategory', service: 'cms' },
  vote: { method: 'POST', path: '/webpage/likeCount/', service: 'cms' },
  voteByLink: { method: 'GET', path: '/webpage/likeCount/', service: 'cms' },
  shops: { method: 'GET', path: '/maps/{slug}shopsbycoordinates', service: 'cms' },
  shopList: { method: 'GET', path: '/maps/{slug}shops', service: 'cms' },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;

/** Not a call: an event stream that says when the state of a payment (`tid`) should be fetched again. */
const transactionStream = '/transaction/v1/stream';
export const transactionStreamPath = portalPrefix + transactionStream;
export const servedStreamPaths = [transactionStreamPath, portalAliasPrefix + transactionStream] as const;

const fillSlug = (path: string, slug: string | undefined): string => {
  if (!path.includes('{slug}')) return path;
  if (!slug) throw new RangeError(`the path ${path} needs the brand's slug`);
  return path.replace('{slug}', encodeURIComponent(slug));
};

export function callPath(name: CallName, brand: { slug?: string } = {}): string {
  const { path, service } = calls[name];
  return prefixes[service] + fillSlug(path, brand.slug);
}

/** Every path at which the server answers a call. */
export function servedPaths(name: CallName, brand: { slug?: string } = {}): string[] {
  const { path, service } = calls[name];
  const main = callPath(name, brand);
  return service === 'portal' ? [main, portalAliasPrefix + fillSlug(path, brand.slug)] : [main];
}
