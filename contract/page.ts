import type { PublicPack } from '@portal/domain/operator.ts';

/** How the web app reaches the portal: over HTTP in a browser, without a hop when the server renders a page. */
export type TransportRequest = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
/** `keptAt` is set where there was no network and the answer is one that was kept before. */
export type TransportAnswer = { status: number; body: unknown; keptAt?: string | undefined };
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** What the built web app offers for one screen: every script it needs, its styles ready to be inlined, and their files. */
export type ScreenAssets = { scripts: string[]; styles: string; styleFiles: string[] };

/** What may travel sealed in an address or a form. A token opens as the kind it was sealed as, and as no other. */
export const sealedKinds = ['order', 'bundleLine', 'fixedInternetAccount', 'postpaidCode', 'postpaidProof'] as const;
export type SealedKind = (typeof sealedKinds)[number];

export type PageRequest = {
  method: 'GET' | 'POST';
  /** With the language prefix, without the query. */
  path: string;
  query: Record<string, string>;
  /** The fields of a posted form. */
  form: Record<string, string> | null;
  /** Of the reader's choice in this session, else what the browser accepts. */
  storedLanguage: string | null;
  acceptLanguage: string;
  origin: string;
  nonce: string;
  production: boolean;
  sandbox: boolean;
  /** Whether pages may start the service worker. */
  worker: boolean;
  operator: PublicPack;
  transport: Transport;
  /** An order travels in the address when there is no script: sealed, so that nobody reads or changes it. */
  seal: (kind: SealedKind, value: unknown) => string;
  /** Null for a token of another kind or of another visit. */
  open: (kind: SealedKind, token: string) => unknown;
  entryScript: string;
  assetsOf: (module: string, parts: readonly string[]) => ScreenAssets;
};

export type PageAnswer =
  | { kind: 'page'; status: number; html: string; language: string; remember: boolean; cacheable: boolean }
  | { kind: 'redirect'; location: string; language: string; remember: boolean };

/** What web/dist/server/entry-server.js exports. */
export type RenderPage = (request: PageRequest) => Promise<PageAnswer>;
