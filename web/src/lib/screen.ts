import type { PublicPack } from '@portal/domain/operator.ts';
import type { ComponentType } from 'react';
import type { Api } from './api.ts';
import type { FormState, Page } from './page.tsx';
import type { Sealing } from './sealed.ts';
import type { Keyed } from './use-call.ts';

/** What a screen's `load` may use, on the server and in the browser alike; on the server calls are made in-process. */
export interface LoadContext {
  api: Api;
  operator: PublicPack;
  language: Page['language'];
  path: string;
  query: Record<string, string>;
}

/** Only the server can open sealed tokens in a URL. */
export interface ServerContext extends LoadContext, Sealing {}

export interface ActionContext extends ServerContext {
  form: Record<string, string>;
}

export interface Loaded<T = unknown> {
  loaded: T;
  status?: number;
  /** Without script the page reloads itself after so many seconds. */
  refreshSeconds?: number;
  noindex?: boolean;
  /** In the reader's language, where the page is about one item; otherwise the screen's own title is used. */
  title?: string;
  /** Structured data for search engines (schema.org). */
  structuredData?: unknown;
}

/**
 * `order` is passed to `load` as if it had come in the URL. A form that is rendered again without errors is an answer,
 * not a refusal.
 */
export type Acted =
  | { redirect: string }
  /** A URL that is not ours, such as a gateway's page. */
  | { leave: string }
  | { form: FormState; order?: string };

export interface ServerScreen {
  /** Replaces the screen's `load` where a URL carries something only the server can read. */
  load?: (context: ServerContext) => Promise<Loaded>;
  action?: (context: ActionContext) => Promise<Acted>;
}

export interface ScreenProps<T = unknown> {
  /**
   * The result of `load`: rendered with the page by the server, or pending after a navigation in the browser.
   * Undefined there where only the server loads.
   */
  loaded: T | undefined;
}

export interface ScreenModule {
  // biome-ignore lint/suspicious/noExplicitAny: each screen knows the type of its own data
  Screen: ComponentType<ScreenProps<any>>;
  /** Runs before the page is rendered on the server, and on navigation to the screen in the browser. */
  load?: (context: LoadContext) => Promise<Loaded<Keyed<unknown> | undefined>>;
}

/** Thrown while rendering: the error view shows its status and text. */
export class ThrownResponse extends Error {
  // Declared only: class fields would add helpers of half a kilobyte to every page.
  declare readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'ThrownResponse';
    this.status = status;
  }
}
