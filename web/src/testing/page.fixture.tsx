import { knowMarks } from '@portal/domain/number-format.ts';
import { screenAt, unknownAddress } from '@portal/domain/screens.ts';
import { cleanup, render, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { expect, inject, vi } from 'vitest';
import { App } from '../app/app.tsx';
import { chromeOf } from '../app/chrome.ts';
import type { InitialPage } from '../app/initial-page.ts';
import { screenModules } from '../app/screens.ts';
import { translator } from '../lib/translate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    portal: { url: string; waitMs: number };
  }
}

/** A call that the page sent. */
export interface SentCall {
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
}

/**
 * Intercepts calls whose path has this ending; without a response of its own the portal's is used. `ask` forwards the
 * call, with a changed body to simulate an outdated page.
 */
type Between = (call: SentCall, ask: (change?: object) => Promise<Response>) => Promise<Response>;

interface OpenOptions {
  isClockStopped?: boolean;
  /** The order in the session that is to be paid. */
  order?: object;
  /** Another entry of the session, by its key. */
  session?: Record<string, unknown>;
  /** Interceptors that are active from the start, by the ending of the path. */
  answers?: Record<string, Between>;
  cookies?: Map<string, string>;
  /** Features of the pack, as another operator would set them. */
  features?: Partial<InitialPage['operator']['features']>;
}

export interface OpenPage {
  user: UserEvent;
  /** Every call since the page was opened. */
  sent: SentCall[];
  /** Those with this ending. */
  sentTo(ending: string): SentCall[];
  /** Calls that the page aborted before the response. */
  given: { up: SentCall[] };
  /** Installs an interceptor; null removes it. */
  between(ending: string, answer: Between | null): void;
  /** Loads a page in the same tab: storage stays, the page and its interceptors are dropped. */
  load(path: string): Promise<OpenPage>;
}

const { url: portal } = inject('portal');

/**
 * A page from the real portal, hydrated with its screen's script: everything a visitor sees and types, without layout.
 * Its calls reach the portal.
 */
export async function openPage(
  path: string,
  {
    isClockStopped = false,
    order,
    session = {},
    answers: first = {},
    cookies = new Map(),
    features = {},
  }: OpenOptions = {},
): Promise<OpenPage> {
  cleanup();
  document.body.replaceChildren();
  for (const [key, value] of Object.entries({ ...(order && { QueryData: order }), ...session }))
    sessionStorage.setItem(key, JSON.stringify(value));
  const sent: SentCall[] = [];
  const given = { up: [] as SentCall[] };
  const answers = new Map(Object.entries(first));
  const ask = async (address: string, init?: RequestInit): Promise<Response> => {
    const answer = await portalFetch(new URL(address, portal), {
      ...init,
      signal: null,
      redirect: 'manual',
      headers: { ...(init?.headers as Record<string, string>), cookie: [...cookies.values()].join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.split('=')[0] ?? '', pair);
    }
    return answer;
  };

  const answer = await ask(path, { headers: { accept: 'text/html', 'accept-language': 'en' } });
  const html = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const initial = JSON.parse(html.getElementById('page')?.textContent ?? '{}') as InitialPage;
  initial.operator = { ...initial.operator, features: { ...initial.operator.features, ...features } };
  // As the server would render it for such an operator.
  initial.chrome = chromeOf(translator(initial.texts), initial.operator, initial.chrome);
  const { folder } = screenAt(initial.path, initial.operator, initial) ?? unknownAddress;
  const { Screen } = await screenModules[folder]();
  const shown = initial.operator.languages.find(({ code }) => code === initial.language);
  if (shown) knowMarks(shown.formats, initial.marks);

  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, portal);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const call: SentCall = { path: pathname, query: Object.fromEntries(searchParams), body };
    sent.push(call);
    const onward = (change?: object) =>
      ask(address, change ? { ...init, body: JSON.stringify({ ...body, ...change }) } : init);
    const [, between] = [...answers].find(([ending]) => pathname.endsWith(ending)) ?? [];
    let isAnswered = false;
    init.signal?.addEventListener('abort', () => {
      if (!isAnswered) given.up.push(call);
    });
    const answered = (between ? between(call, onward) : onward()).finally(() => {
      isAnswered = true;
    });
    return Promise.race([answered, abortionOf(init.signal)]);
  });
  window.history.replaceState(null, '', path);
  document.documentElement.lang = shown?.locale ?? '';
  document.title = html.title;
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  if (isClockStopped)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  render(<App initial={initial} screen={Screen} />, { container: root });
  expect(document.documentElement.dataset.hydrated).toBe('');
  return {
    user: userEvent.setup({ pointerEventsCheck: 0, ...(isClockStopped ? { delay: null } : {}) }),
    sent,
    given,
    sentTo: (ending) => sent.filter((call) => call.path.endsWith(ending)),
    between(ending, answer) {
      if (answer) answers.set(ending, answer);
      else answers.delete(ending);
    },
    load: (next) => openPage(next, { cookies }),
  };
}

const portalFetch = globalThis.fetch;

/** The code that was sent to a line by SMS, or to an address by mail. */
export async function codeFor(recipient: string): Promise<string> {
  const isMail = recipient.includes('@');
  const path = isMail ? `/mail?to=${encodeURIComponent(recipient)}` : `/lines/${recipient}/messages`;
  return waitFor(async () => {
    const [newest] = (await (await portalFetch(`${portal}/sandbox/api${path}`)).json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`No code came to ${recipient}.`);
    return code;
  });
}

/** A refusal with an error code of the contract. */
export const refusal = (http: number, statusCode: number | string, message = 'in words', error: object = {}) =>
  Response.json(
    { statusCode, status: 'failure', message, result: null, error: { message, ...error } },
    { status: http },
  );

/** Rejects on abort, as fetch does. */
function abortionOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
