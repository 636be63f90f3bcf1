import { withoutNames } from '../lib/personal-address.ts';
import { keyOf, offlineAddresses, type Plan, planFor } from './caching-rules.ts';
import { type KeptAnswers, keptAnswers } from './kept-answers.ts';
import {
  type FetchEvent,
  keptHeader,
  payingLock,
  sharedPhoneCache,
  type WorkerMessage,
  type WorkerScope,
} from './worker-scope.ts';

const scope = self as unknown as WorkerScope;
const { version, operator, slug, prefixes, pages: cachedPages, assets: ahead } = scope.portalSettings;
const site = { origin: scope.location.origin, slug, prefixes, pages: cachedPages };

/** The cached copy is shown when the network has not answered for so long. */
const patienceMs = 3_000;

/** Pages and scripts belong to one build; content and shops outlive it. */
const names = {
  pages: `portal ${operator} pages ${version}`,
  assets: `portal ${operator} assets ${version}`,
  content: `portal ${operator} content 1`,
  places: `portal ${operator} places 1`,
};
const pages = keptAnswers(scope.caches, names.pages, 40);
const assets = keptAnswers(scope.caches, names.assets, 120);
const stores = {
  content: keptAnswers(scope.caches, names.content, 40),
  places: keptAnswers(scope.caches, names.places, 40),
};

scope.addEventListener('activate', (event) => {
  const ours = new Set([...Object.values(names), sharedPhoneCache]);
  const cleared = scope.caches
    .keys()
    .then((all) => Promise.all(all.filter((name) => !ours.has(name)).map((name) => scope.caches.delete(name))));
  event.waitUntil(cleared.then(() => scope.clients.claim()));
});

scope.addEventListener('message', (event) => {
  event.waitUntil(event.data.kind === 'activate' ? takeOver() : keepAhead(event.data));
});

scope.addEventListener('fetch', (event) => {
  const plan = planFor(event.request, site);
  if (plan.kind !== 'pass') event.respondWith(answerBy(plan, event));
});

function answerBy(plan: Exclude<Plan, { kind: 'pass' }>, event: FetchEvent): Promise<Response> {
  const { request } = event;
  if (plan.kind === 'asset') return fromAssets(request);
  if (plan.kind === 'page') return plan.keep ? keptPage(event) : fetch(request).catch(() => withoutNetwork(request));
  return networkFirst(event, stores[plan.store], keyOf(request.url, request.headers.get('lang') ?? ''), markedAnswer);
}

async function fromAssets(request: Request): Promise<Response> {
  const key = keyOf(request.url, null);
  const kept = await assets.find(key);
  if (kept) return kept;
  const answer = await fetch(request);
  await assets.keep(key, answer);
  return answer;
}

const keptPage = (event: FetchEvent): Promise<Response> =>
  networkFirst(event, pages, keyOf(event.request.url, null), markedPage).catch(() => withoutNetwork(event.request));

/** A late response is cached for the next time. */
async function networkFirst(
  event: FetchEvent,
  store: KeptAnswers,
  key: string,
  mark: (kept: Response) => Promise<Response>,
): Promise<Response> {
  const asked = fetch(event.request);
  event.waitUntil(asked.then(async (answer) => (await mayStay(key)) && store.keep(key, answer)).catch(() => {}));
  const kept = await store.find(key);
  if (!kept) return (await asked).clone();
  return Promise.race([asked, patience()]).then(
    (answer) => answer.clone(),
    () => mark(kept),
  );
}

/** On a shared phone nothing is cached under an address that may name somebody, or where they were. */
const mayStay = async (key: string) => !withoutNames(key) || !(await scope.caches.has(sharedPhoneCache));

const patience = () => new Promise<never>((_resolve, reject) => setTimeout(reject, patienceMs));

/** By the server's clock. */
const keptSince = (kept: Response) => new Date(kept.headers.get('date') ?? 0).toISOString();

function headersOf(kept: Response): Headers {
  const headers = new Headers(kept.headers);
  // The body in the cache is no longer compressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

async function markedAnswer(kept: Response): Promise<Response> {
  const headers = headersOf(kept);
  headers.set(keptHeader, keptSince(kept));
  return new Response(kept.body, { headers });
}

/** Its policy is cached with it, so the nonce in the header is the one in the page. */
async function markedPage(kept: Response): Promise<Response> {
  const html = await kept.text();
  return new Response(html.replace('<html ', `<html data-kept="${keptSince(kept)}" `), { headers: headersOf(kept) });
}

async function withoutNetwork(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const address of offlineAddresses(pathname, site)) {
    const kept = await pages.find(keyOf(site.origin + address, null));
    if (kept) return kept;
  }
  return Response.error();
}

const freshMs = 24 * 3_600_000;
const isFresh = (kept: Response) => Date.now() - Date.parse(kept.headers.get('date') ?? '') < freshMs;

/**
 * Fetches only what is not cached yet, or outdated; scripts that the page has just loaded come from the browser's
 * HTTP cache.
 */
async function keepAhead(wanted: Extract<WorkerMessage, { kind: 'keep' }>): Promise<void> {
  const fill = async (store: KeptAnswers, key: string, request: Request) => {
    const kept = await store.find(key);
    if (kept && (store === assets || isFresh(kept))) return;
    if (await mayStay(key)) await store.keep(key, await fetch(request));
  };
  const absolute = (address: string) => new URL(address, site.origin).href;
  for (const url of [...wanted.pages, ...ahead, ...wanted.assets].map(absolute)) {
    const asked = new Request(url);
    const plan = planFor({ ...fieldsOf(asked), mode: wanted.pages.includes(url) ? 'navigate' : 'cors' }, site);
    if (plan.kind === 'asset') await fill(assets, keyOf(url, null), asked);
    else if (plan.kind === 'page' && plan.keep) await fill(pages, keyOf(url, null), asked);
  }
  for (const { address, language } of wanted.content) {
    const asked = new Request(absolute(address), { headers: { lang: language } });
    const plan = planFor(asked, site);
    if (plan.kind === 'content') await fill(stores[plan.store], keyOf(asked.url, language), asked);
  }
}

const fieldsOf = ({ method, url, headers }: Request) => ({ method, url, headers });

/** Not while somebody pays in another tab: its scripts belong to the previous version. */
async function takeOver(): Promise<void> {
  const { locks } = scope.navigator;
  if (!locks) return scope.skipWaiting();
  await locks.request(payingLock, { ifAvailable: true }, (lock) => (lock ? scope.skipWaiting() : undefined));
}
