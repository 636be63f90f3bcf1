import type { PublicPack } from '@portal/domain/operator.ts';
import type { ComponentType } from 'react';
import type { Api } from './api.ts';
import type { FormState, Page } from './page.tsx';
import type { Sealing } from './sealed.ts';

/** What a screen's server part may use. The calls are those of the browser, made without a hop. */
export interface LoadContext extends Sealing {
  api: Api;
  operator: PublicPack;
  language: Page['language'];
  path: string;
  query: Record<string, string>;
}

export interface ActionContext extends LoadContext {
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
  load?: (context: LoadContext) => Promise<Loaded>;
  action?: (context: ActionContext) => Promise<Acted>;
}

export interface ScreenProps<T = unknown> {
  /** From the server's `load`; absent after a navigation in the browser, when the screen asks for itself. */
  loaded: T | undefined;
}

export interface ScreenModule {
  // biome-ignore lint/suspicious/noExplicitAny: each screen knows the type of its own data
  Screen: ComponentType<ScreenProps<any>>;
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
