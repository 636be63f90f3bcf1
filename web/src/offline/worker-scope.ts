import type { PageCaching } from '@portal/domain/screens.ts';

/** Settings that the server writes in front of the worker's script: one build serves several operators. */
export interface WorkerSettings {
  /** Another build, or the same one for another operator, is another version. */
  version: string;
  operator: string;
  slug: string;
  /** URL prefixes of the languages, including the empty one. */
  prefixes: readonly string[];
  pages: Record<string, PageCaching>;
  /** Scripts and styles to cache ahead of their first request. */
  assets: readonly string[];
}

/** Sent by a page once it has loaded and the browser is idle. */
export type WorkerMessage =
  | { kind: 'activate' }
  | {
      kind: 'keep';
      pages: string[];
      assets: string[];
      content: { address: string; language: string }[];
    };

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface MessageToWorker extends WaitingEvent {
  readonly data: WorkerMessage;
}

/** The subset of the worker's global scope in use; TypeScript cannot type a page and a worker in one project. */
export interface WorkerScope {
  readonly portalSettings: WorkerSettings;
  readonly location: { readonly origin: string };
  readonly caches: CacheStorage;
  readonly navigator: { readonly locks?: LockManager };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageToWorker) => void): void;
}

/** A cache of this name marks a shared phone, because the worker cannot read the pages' storage. */
export const sharedPhoneCache = 'shared phone';

/** A lock held by a page on which somebody pays: no other version is activated meanwhile. */
export const payingLock = 'paying';

/**
 * A lock held until the payment is submitted: the steps before that need the visit that ordered; the status page does
 * not.
 */
export const orderingLock = 'ordering';

/** The response header with the time of caching. */
export const keptHeader = 'x-kept-at';
