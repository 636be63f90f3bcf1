import type { PageCaching } from '@portal/domain/screens.ts';

/** What the server writes in front of the worker's script: one build serves several operators. */
export interface WorkerSettings {
  /** Another build, or the same one for another operator, is another version. */
  version: string;
  operator: string;
  slug: string;
  /** Of the languages' addresses, the empty one among them. */
  prefixes: readonly string[];
  pages: Record<string, PageCaching>;
  /** Scripts and styles that are worth caching before they are requested. */
  assets: readonly string[];
}

/** From a page, once it has been loaded and the browser is idle. */
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

/** The part of a worker's world that ours uses; TypeScript cannot know a page's and a worker's at once. */
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

/** A cache of this name marks a shared phone, for the worker cannot read what pages store. */
export const sharedPhoneCache = 'shared phone';

/** Held by a page on which somebody pays: meanwhile no other version takes over. */
export const payingLock = 'paying';

/** The header by which a cached response says since when. */
export const keptHeader = 'x-kept-at';
