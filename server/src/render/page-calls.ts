import { hash } from 'node:crypto';
import { callPath } from '@portal/contract/calls.ts';
import type { PageRequest, Transport, TransportRequest } from '@portal/contract/render-page.ts';

/** The response of a call. Equal digests mean equal responses. */
export interface CallAnswer {
  status: number;
  digest: string;
  read(): unknown;
}

export type Ask = (call: TransportRequest) => Promise<CallAnswer>;

export const answerOf = (status: number, text: string): CallAnswer => ({
  status,
  digest: hash('sha256', text, 'base64url'),
  read: () => JSON.parse(text),
});

/**
 * The calls of one page. Each is made once, so that checking a cached page and then rendering it costs no more calls
 * than rendering it.
 */
export interface PageCalls {
  ask: Ask;
  transport: Transport;
  made(): Promise<{ call: TransportRequest; answer: CallAnswer }[]>;
}

export function callsOf(askPortal: Ask): PageCalls {
  const asked = new Map<string, { call: TransportRequest; answer: Promise<CallAnswer> }>();
  const ask: Ask = (call) => {
    const { signal: _, ...what } = call;
    const key = JSON.stringify(what);
    const known = asked.get(key);
    if (known) return known.answer;
    const answer = askPortal(call);
    asked.set(key, { call, answer });
    return answer;
  };
  return {
    ask,
    transport: transportOf(ask),
    made: () => Promise.all([...asked.values()].map(async ({ call, answer }) => ({ call, answer: await answer }))),
  };
}

export const transportOf =
  (ask: Ask): Transport =>
  async (call) => {
    const answer = await ask(call);
    return { status: answer.status, body: answer.read() };
  };

/** Calls that do not depend on the visitor and change nothing. */
const publicCalls = ['activePackage', 'announcements', 'faqs', 'bundles', 'shopList', 'cities', 'config'] as const;
export const isPublicPath = (path: string, { brand }: PageRequest['operator']): boolean =>
  publicCalls.some((name) => callPath(name, brand) === path);

const contentPath = callPath('activePackage');

/**
 * Every page needs the same three packages, which are the largest responses. They come directly from the content
 * service and are serialised once for each version. Null for any other call or an unknown package.
 */
export function contentAnswers(
  activePackage: (page: string) => Promise<unknown>,
): (call: TransportRequest) => Promise<CallAnswer | null> {
  const written = new WeakMap<object, CallAnswer>();
  return async ({ method, path, query }) => {
    const page = method === 'GET' && path === contentPath ? query?.pageUrl : undefined;
    const body = page?.startsWith('/') ? await activePackage(page) : null;
    if (typeof body !== 'object' || body === null) return null;
    let answer = written.get(body);
    if (!answer) {
      const result = { packageHtml: JSON.stringify(body) };
      answer = { ...answerOf(200, result.packageHtml), read: () => result };
      written.set(body, answer);
    }
    return answer;
  };
}
