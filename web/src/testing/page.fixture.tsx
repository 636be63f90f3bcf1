import { knowMarks } from '@portal/domain/number-format.ts';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { expect, inject, vi } from 'vitest';
import { App } from '../app/app.tsx';
import type { InitialPage } from '../app/initial-page.ts';
import { screens } from '../app/screens.ts';

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

/** Stands between page and portal for calls whose path ends so; without an answer of its own the portal's goes on. */
type Between = (call: SentCall, ask: () => Promise<Response>) => Promise<Response>;

interface OpenOptions {
  isClockStopped?: boolean;
  /** Waits in the session to be paid for. */
  order?: object;
  /** What stands between page and portal from the beginning, by how a path ends. */
  answers?: Record<string, Between>;
}

export interface OpenPage {
  user: UserEvent;
  /** Every call since the page was opened. */
  sent: SentCall[];
  /** Those of one kind. */
  sentTo(ending: string): SentCall[];
  /** Calls that the page gave up before they were answered. */
  given: { up: SentCall[] };
  /** From now on; null lets calls through again. */
  between(ending: string, answer: Between | null): void;
}

const { url: portal } = inject('portal');

/**
 * A page as the real portal answers it, with the script of its screen in charge: what a visitor sees and types without
 * the browser's layout. Its calls reach the portal too.
 */
export async function openPage(
  path: string,
  { isClockStopped = false, order, answers: first = {} }: OpenOptions = {},
): Promise<OpenPage> {
  if (order) sessionStorage.setItem('QueryData', JSON.stringify(order));
  const cookies = new Map<string, string>();
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
  const { Screen } = await screens[initial.screen ?? 'about'].import();
  const shown = initial.operator.languages.find(({ code }) => code === initial.language);
  if (shown) knowMarks(shown.formats, initial.marks);

  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, portal);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const call: SentCall = { path: pathname, query: Object.fromEntries(searchParams), body };
    sent.push(call);
    const onward = () => ask(address, init);
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
  };
}

const portalFetch = globalThis.fetch;

/** A line that no other test uses: unknown ones are made up as they are asked for. */
export const freshLine = () => `39${String(10_000 + Math.floor(Math.random() * 9_990_000)).padStart(7, '0')}`;

/** What waits in the session to be paid for. */
export const orderFor = (line: string, more: object = {}) => ({
  msisdn: line,
  amount: 1_000,
  currency: 'MGA',
  lineType: 'PREPAID',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/prepaid-recharge',
  ...more,
});

/** As the portal refuses: by a code of the contract. */
export const refusal = (http: number, statusCode: number | string, message = 'in words', error: object = {}) =>
  Response.json(
    { statusCode, status: 'failure', message, result: null, error: { message, ...error } },
    { status: http },
  );

/** Rejects as a browser's own call does, when who asked gives up. */
function abortionOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
