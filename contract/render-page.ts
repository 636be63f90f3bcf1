import type { PublicPack } from '@portal/domain/operator.ts';

/** How the web app calls the portal: over HTTP in a browser, in-process when the server renders a page. */
export type TransportRequest = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
/** `keptAt` is set when the client was offline and the response comes from its cache. */
export type TransportAnswer = { status: number; body: unknown; keptAt?: string | undefined };
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** The built web app's files for one screen: its scripts, its styles ready for inlining, and their file names. */
export type ScreenAssets = { scripts: string[]; styles: string; styleFiles: string[] };

/** What may be sealed into a token of a URL or a form. A token opens only as the kind it was sealed as. */
export const sealedKinds = [
  'order',
  'bundleLine',
  'fixedInternetAccount',
  'postpaidCode',
  'postpaidProof',
  'postedForm',
] as const;
export type SealedKind = (typeof sealedKinds)[number];

export type PageRequest = {
  method: 'GET' | 'POST';
  /** With the language prefix, without the query. */
  path: string;
  query: Record<string, string>;
  /** The fields of a posted form. */
  form: Record<string, string> | null;
  /** The language chosen in this session, else the browser's preference. */
  storedLanguage: string | null;
  acceptLanguage: string;
  origin: string;
  nonce: string;
  production: boolean;
  sandbox: boolean;
  /** Whether the browser sent the cookie of its visit, so that a token opens for nobody else. */
  hasVisit: boolean;
  /** Whether pages may register the service worker. */
  worker: boolean;
  operator: PublicPack;
  transport: Transport;
  /** Without script an order travels in the URL, sealed so that nobody can read or change it. */
  seal: (kind: SealedKind, value: unknown) => string;
  /** Null for a token of another kind or of another visit. */
  open: (kind: SealedKind, token: string) => unknown;
  entryScript: string;
  assetsOf: (module: string, parts: readonly string[]) => ScreenAssets;
};

export type PageAnswer =
  | { kind: 'page'; status: number; html: string; language: string; remember: boolean; cacheable: boolean }
  | { kind: 'redirect'; location: string; language: string; remember: boolean };

/** The exports of web/dist/server/entry-server.js. */
export type RenderPage = (request: PageRequest) => Promise<PageAnswer>;
