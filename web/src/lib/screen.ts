import type { PublicPack } from '@portal/domain/operator.ts';
import type { ComponentType } from 'react';
import type { Api } from './api.ts';
import type { FormState, Page } from './page.tsx';
import type { Sealing } from './sealed.ts';
import type { Keyed } from './use-call.ts';

/** What a screen's `load` may use, on the server and in the browser alike: there the calls are made without a hop. */
export interface LoadContext {
  api: Api;
  operator: PublicPack;
  language: Page['language'];
  path: string;
  query: Record<string, string>;
}

/** Only the server can open what travels sealed in an address. */
export interface ServerContext extends LoadContext, Sealing {}

export interface ActionContext extends ServerContext {
  form: Record<string, string>;
}

export interface Loaded<T = unknown> {
  loaded: T;
  status?: number;
  /** Without script the page asks again by itself after so many seconds. */
  refreshSeconds?: number;
  noindex?: boolean;
  /** In the reader's words, where the page is about one thing; else the screen's own title stands. */
  title?: string;
  /** Facts for search engines, by schema.org. */
  structuredData?: unknown;
}

/**
 * `order` is handed to `load` as if it had come in the address: what the next page shows then stays out of the address.
 * A form that comes back without errors is an answer, not a refusal.
 */
export type Acted =
  | { redirect: string }
  /** An address that is not ours, such as a gateway's own page. */
  | { leave: string }
  | { form: FormState; order?: string };

export interface ServerScreen {
  /** In place of the screen's own `load`, where an address carries what only the server can read. */
  load?: (context: ServerContext) => Promise<Loaded>;
  action?: (context: ActionContext) => Promise<Acted>;
}

export interface ScreenProps<T = unknown> {
  /**
   * What `load` gave: with the page from the server, or on its way after a navigation in the browser. Absent there where
   * only the server loads.
   */
  loaded: T | undefined;
}

export interface ScreenModule {
  // biome-ignore lint/suspicious/noExplicitAny: each screen knows the type of its own data
  Screen: ComponentType<ScreenProps<any>>;
  /** Runs before the page is rendered on the server, and when the screen is navigated to in the browser. */
  load?: (context: LoadContext) => Promise<Loaded<Keyed<unknown> | undefined>>;
}

/** Thrown while rendering: shown by the error view with its status and words. */
export class ThrownResponse extends Error {
  // Declared only: a field would bring helpers of half a kilobyte into every page.
  declare readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'ThrownResponse';
    this.status = status;
  }
}
