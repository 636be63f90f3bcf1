import { type CallName, calls, servedPaths } from '@portal/contract/calls.ts';
import { contract } from '@portal/contract/contract.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pageCaching } from '@portal/domain/screens.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { keyOf, mayKeep, offlineAddresses, type Plan, planFor, unprefixed } from './caching-rules.ts';

const origin = 'https://portal.example';
const { slug } = pack.brand;
const site = {
  origin,
  slug,
  prefixes: pack.languages.map(({ prefix }) => prefix),
  pages: pageCaching(publicPack(pack)),
};

function plan(path: string, more: { method?: string; mode?: string; headers?: Record<string, string> } = {}): Plan {
  const { method = 'GET', mode = 'cors', headers = {} } = more;
  return planFor({ method, mode, url: new URL(path, origin).href, headers: new Headers(headers) }, site);
}

const open = (path: string) => plan(path, { mode: 'navigate' });
const pass: Plan = { kind: 'pass' };

/** Every call of the contract; a new one does not compile until it is listed here. */
const kept: Record<CallName, 'content' | 'places' | 'never'> = {
  activePackage: 'content',
  faqs: 'content',
  shopList: 'content',
  shops: 'places',
  suggestPlaces: 'places',
  config: 'never',
  productConfig: 'never',
  announcements: 'never',
  cities: 'never',
  lineType: 'never',
  validateBrandNumber: 'never',
  validateAccount: 'never',
  queryBalance: 'never',
  fetchBalance: 'never',
  bill: 'never',
  openInvoices: 'never',
  bundles: 'never',
  sendInvoiceCode: 'never',
  resendInvoiceCode: 'never',
  verifyInvoiceCode: 'never',
  sendCode: 'never',
  resendCode: 'never',
  verifyCode: 'never',
  verifyUser: 'never',
  paymentOptions: 'never',
  paymentOptionsByChannel: 'never',
  initiate: 'never',
  authInitiate: 'never',
  mpesaInitiate: 'never',
  process: 'never',
  authProcess: 'never',
  mpesaProcess: 'never',
  transactionStatus: 'never',
  transactionFetch: 'never',
  exchangeRate: 'never',
  paystackCallback: 'never',
  ticket: 'never',
  writeTicket: 'never',
  submitLead: 'never',
  trackLead: 'never',
  sendLeadCode: 'never',
  saveForm: 'never',
  geocode: 'never',
  recordEvent: 'never',
  recordSearch: 'never',
  vote: 'never',
  voteByLink: 'never',
};

describe('PRF-6 which calls are cached', () => {
  test.each(Object.entries(kept) as [CallName, string][])('%s: %s', (name, store) => {
    const [own] = servedPaths(name, { slug });
    for (const path of servedPaths(name, { slug })) {
      for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE']) {
        const isWanted = store !== 'never' && path === own && method === 'GET' && calls[name].method === 'GET';
        expect(plan(`${path}?a=1`, { method }), `${method} ${path}`).toEqual(
          isWanted ? { kind: 'content', store } : pass,
        );
        expect(plan(path, { method, mode: 'navigate' })).toEqual(pass);
      }
    }
  });

  test('no call that needs a proof, costs money or depends on the visitor is cached', () => {
    for (const name of (Object.keys(kept) as CallName[]).filter((one) => kept[one] !== 'never')) {
      const { access, mayBeKept } = contract[name] as (typeof contract)[CallName] & { mayBeKept?: true };
      expect(access.proof, name).toBe('none');
      expect(access.limit === 'read' || mayBeKept, name).toBe(true);
    }
  });

  test('a question after a vote, and a response with no-store, are not cached', () => {
    expect(plan('/cms/webpage/getFaqs_pCategory?opco=MG&questionId=x')).toEqual(pass);
    const shops = `/cms/maps/${slug}shopsbycoordinates?opco=MG&latitude=-18.9&longitude=47.5`;
    expect(plan(shops)).toEqual({ kind: 'content', store: 'places' });
    expect(plan(shops, { headers: { 'cache-control': 'no-store' } })).toEqual(pass);
  });
});

describe('PRF-6 which pages are cached', () => {
  test.each([
    '/',
    '/sw',
    '/mg/prepaid-recharge',
    '/prepaid-recharge',
    '/data-bundle?product=D1G7',
    '/table',
    '/gethelp',
    '/sw/gethelp/recharge/amounts/smallest-amount',
    '/store-locator?q=Toamasina',
    '/storeLocator',
    '/openNetworks?q=501&technology=4G',
    `/store_finder/${slug}_shop`,
    '/store_finder/dealers',
    `/more-${slug}-money`,
    '/postpaid-bill-pay',
    '/orp/fixed-internet',
    '/hbb-lead',
    '/contact-us',
    '/privacy-policy',
    '/mg/offline',
  ])('%s', (path) => {
    expect(open(path)).toEqual({ kind: 'page', keep: true });
    expect(plan(path, { method: 'POST', mode: 'navigate' })).toEqual(pass);
  });

  test.each([
    '/prepaid-recharge?msisdn=390000001&amount=1000',
    '/?utm_source=sms',
    '/data-bundle?line=sealed',
    '/data-bundle?product=D1G7&line=sealed',
    '/postpaid-bill-pay?order=sealed',
    '/orp/fixed-internet?bills=sealed',
    '/hbb-lead-status?id=ABC',
    '/gethelp?q=wallet',
    '/gethelp/recharge?voted=yes',
    '/payment',
    '/payment/start',
    '/payment/start?order=sealed',
    '/sw/payment/start/card',
    '/payment/status?id=0123456789abcdef',
    '/mg/payment/status/0123456789abcdef',
  ])('%s comes from the network, or shows the offline page, and is never cached', (path) => {
    expect(open(path)).toEqual({ kind: 'page', keep: false });
  });

  test.each([
    '/receipts/0123456789abcdef0123.pdf',
    '/sandbox',
    '/sandbox/api/books',
    '/docs/api',
    '/openapi.json',
    '/metrics',
    '/nobody-knows',
    '/sw.js',
    '/manifest.webmanifest?lang=FR',
    '/api/portal-service/transaction/v1/pg-callback/status/ORP/paystack?txref=1',
    'https://elsewhere.example/',
  ])('%s is left to the browser', (path) => {
    expect(open(path)).toEqual(pass);
    expect(plan(path)).toEqual(pass);
  });

  test('a page that a script requests is not cached', () => {
    expect(plan('/payment/status?id=1')).toEqual(pass);
    expect(plan('/')).toEqual(pass);
  });
});

test('PRF-6 scripts, styles and the base map are requested once', () => {
  for (const path of ['/assets/entry-client-9uT8dIHS.js', '/assets/home-ZsI.css', '/map/mg/fine.json', '/icon.svg'])
    expect(plan(path)).toEqual({ kind: 'asset' });
  expect(plan('/map/mg/fine.json', { headers: { range: 'bytes=0-9' } })).toEqual(pass);
  expect(plan('https://tiles.example/assets/1.js')).toEqual(pass);
});

test('the response’s headers decide whether it is cached', () => {
  const answer = (more: object, cacheControl = 'private, no-cache') => ({
    status: 200,
    type: 'basic' as const,
    redirected: false,
    headers: new Headers({ 'cache-control': cacheControl }),
    ...more,
  });
  expect(mayKeep(answer({}))).toBe(true);
  expect(mayKeep(answer({}, 'no-store'))).toBe(false);
  expect(mayKeep(answer({}, 'private, No-Store'))).toBe(false);
  for (const status of [201, 206, 303, 404, 422, 503]) expect(mayKeep(answer({ status }))).toBe(false);
  expect(mayKeep(answer({ redirected: true }))).toBe(false);
  for (const type of ['opaque', 'opaqueredirect', 'cors', 'error'] as const)
    expect(mayKeep(answer({ type }))).toBe(false);
});

test('the cache key depends on the language, not on the order of the query', () => {
  const faqs = `${origin}/cms/webpage/getFaqs_pCategory?opco=MG`;
  expect(keyOf(faqs, 'fr')).not.toBe(keyOf(faqs, 'mg'));
  expect(keyOf(`${origin}/a?x=1&b=2#there`, null)).toBe(keyOf(`${origin}/a?b=2&x=1`, null));
});

test('the offline page is in the language of the URL, or else in any cached one', () => {
  expect(offlineAddresses('/mg/table', site)[0]).toBe('/mg/offline');
  expect(offlineAddresses('/table', site)[0]).toBe('/offline');
  expect(offlineAddresses('/table', site)).toEqual(expect.arrayContaining(['/offline', '/sw/offline', '/mg/offline']));
  expect(unprefixed('/sw', site.prefixes)).toBe('/');
  expect(unprefixed('/swim', site.prefixes)).toBe('/swim');
});
