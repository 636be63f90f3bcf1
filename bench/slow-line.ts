import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { build } from 'vite';
import { openBrowser, openPortal } from './portal.ts';

/** Slow 3G and a slow phone, as defined in the requirements. */
const line = { latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8, offline: false };
const cpuSlowdown = 6;

export interface Visit {
  firstPaintMs: number;
  /** The form is complete and painted. */
  usableMs: number;
  layoutShift: number;
  /** The elements that shifted, for debugging. */
  moved: string[];
  /** Null if the page is never hydrated. */
  hydratedMs: number | null;
  /** The scripts loaded before hydration: compressed bytes, first and last request, and first complete response. */
  scripts: { bytes: number; firstAskedMs: number; lastAskedMs: number; firstArrivedMs: number };
  /** The HTML was received completely. */
  arrivedMs: number;
}

/** Three origins, so that each has its own connection and cache. */
export interface Sites {
  /** The unchanged portal. */
  real: string;
  /** The same HTML without scripts. */
  scriptless: string;
  /** The same HTML, hydrated by bare React without the portal's code. */
  bare: string;
  close(): Promise<void>;
}

async function serve(answer: (path: string, response: ServerResponse) => Promise<void>): Promise<[Server, string]> {
  const server = createServer((asked, response) => {
    answer(asked.url ?? '/', response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

function send(response: ServerResponse, type: string, compressed: Buffer): void {
  response.setHeader('content-type', type).setHeader('content-encoding', 'br').end(compressed);
}

/** Proxies the portal's response unchanged, so that all three sites have the same number of hops. */
function passOn(portal: string, path: string, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${portal}${path}`, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response).on('finish', resolve).on('error', reject);
    });
    asked.on('error', reject).end();
  });
}

async function buildBareReact(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bare-react-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { input: join(import.meta.dirname, 'bare-react.ts'), output: { entryFileNames: 'bare.js' } },
    },
  });
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const script = await readFile(join(folder, file), 'utf8');
  await rm(folder, { recursive: true, force: true });
  return script;
}

/** The portal's page with its way of loading scripts, but with bare React as the only script. */
function bareHtml(html: string): string {
  return html.replace(/\["\/assets\/[^\]]*\]/g, '["/bare.js"]').replace(/"\/assets\/[^"]+\.js"/g, '"/bare.js"');
}

async function openSites(portal: string): Promise<Sites> {
  // The same compression as the portal's own scripts.
  const script = brotliCompressSync(await buildBareReact());
  const [realServer, real] = await serve((path, response) => passOn(portal, path, response));
  const [scriptlessServer, scriptless] = await serve(async (path, response) => {
    const html = await (await fetch(`${portal}${path}`)).text();
    send(
      response,
      'text/html; charset=utf-8',
      brotliCompressSync(html.replace(/<script[\s>][\s\S]*?<\/script>/g, ''), quick),
    );
  });
  const [bareServer, bare] = await serve(async (path, response) => {
    if (path === '/bare.js') return send(response, 'text/javascript', script);
    const html = bareHtml(await (await fetch(`${portal}${path}`)).text());
    send(response, 'text/html; charset=utf-8', brotliCompressSync(html, quick));
  });
  return {
    real,
    scriptless,
    bare,
    async close() {
      for (const server of [realServer, scriptlessServer, bareServer]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** The URLs requested by a page with a map, before and after the map was scrolled into view. */
export interface MapVisit {
  before: string[];
  after: string[];
  /** The HTML as received, before any script ran. */
  html: string;
}

export interface SlowLine {
  sites: Sites;
  /** On a phone of this size, without throttling, so that late requests are complete. */
  visitMap(path: string, viewport: { width: number; height: number }): Promise<MapVisit>;
  /** A first visit with an empty cache, while the phone is otherwise idle. */
  visit(site: Exclude<keyof Sites, 'close'>, path: string): Promise<Visit>;
  close(): Promise<void>;
}

/** A separate portal, the three sites and a browser. */
export async function openSlowLine(): Promise<SlowLine> {
  const portal = await openPortal();
  const browser = await openBrowser();
  const sites = await openSites(portal.stack.url);
  return {
    sites,
    visitMap: (path, viewport) => visitMap(browser, sites.real + path, viewport),
    visit: (site, path) => visit(browser, sites[site] + path, site !== 'scriptless'),
    async close() {
      await sites.close();
      await browser.close();
      await portal.close();
    },
  };
}

/** A layout-shift entry, which TypeScript's DOM library does not declare yet. */
interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

interface Seen {
  paint: number;
  shift: number;
  form: number;
  hydrated: number;
  moved: string[];
}

/** Runs in the page, before its own scripts. */
function watch() {
  const seen: Seen = { paint: 0, shift: 0, form: 0, hydrated: 0, moved: [] };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') seen.paint = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as Shift[]) {
      seen.shift += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources) {
        const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(' ');
        const what = node instanceof Element ? node.outerHTML : node?.textContent;
        seen.moved.push(
          `${Math.round(entry.startTime)} ms: ${what?.slice(0, 120)} (${box(previousRect)} to ${box(currentRect)})`,
        );
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => {
    if (!seen.form && document.querySelector('form button[type=submit]')) seen.form = performance.now();
    if (!seen.hydrated && document.documentElement.hasAttribute('data-hydrated')) seen.hydrated = performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-hydrated'] });
}

/** Runs in the page, after hydration. */
function scriptsUsed() {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { hydrated } = (window as unknown as { seen: Seen }).seen;
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= hydrated,
  );
  const asked = scripts.map(({ startTime }) => startTime);
  return {
    arrivedMs: page?.responseEnd ?? 0,
    scripts: {
      bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      firstAskedMs: Math.min(...asked),
      lastAskedMs: Math.max(...asked),
      firstArrivedMs: Math.min(...scripts.map(({ responseEnd }) => responseEnd)),
    },
  };
}

/** A new browser context. Service workers are blocked, because their requests would not be throttled. */
export async function openSlowPage(browser: Browser): Promise<{ page: Page; close(): Promise<void> }> {
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({ viewport, isMobile: true, hasTouch: true, serviceWorkers: 'block' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  return { page, close: () => context.close() };
}

async function visitMap(browser: Browser, url: string, viewport: { width: number; height: number }): Promise<MapVisit> {
  const context = await browser.newContext({ viewport, isMobile: true, hasTouch: true, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    const html = (await (await page.goto(url))?.text()) ?? '';
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 60_000 });
    await page.waitForLoadState('networkidle');
    const before = [...asked];
    const map = page.locator('[data-state]').last();
    await map.scrollIntoViewIfNeeded();
    await page.locator('[data-state=here][data-zoom]').waitFor();
    await page.locator('canvas.leaflet-tile-loaded').first().waitFor();
    return { before, after: asked.slice(before.length), html };
  } finally {
    await context.close();
  }
}

async function visit(browser: Browser, url: string, waitsForScript: boolean): Promise<Visit> {
  const { page, close } = await openSlowPage(browser);
  try {
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    if (waitsForScript) await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 60_000 });
    // Wait for late layout shifts.
    await page.waitForTimeout(500);
    const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    const { paint, shift, form, hydrated, moved } = seen;
    return {
      firstPaintMs: paint,
      usableMs: Math.max(paint, form),
      layoutShift: shift,
      moved,
      hydratedMs: hydrated || null,
      ...(await page.evaluate(scriptsUsed)),
    };
  } finally {
    await close();
  }
}
