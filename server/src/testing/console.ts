import { type ConsoleCallName, consoleCallPath, consoleCalls } from '@portal/contract/console/calls.ts';
import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import type { ConsoleRefusalBody } from '@portal/contract/console/refusals.ts';
import type { FastifyInstance } from 'fastify';

export const userAgent = 'Firefox of somebody at the desk';

/** The header that a browser sends with a POST from our own pages. */
export const postedHere = { 'sec-fetch-site': 'same-origin' };

export interface Answered<N extends ConsoleCallName> {
  status: number;
  /** The result of a successful call. */
  result: ConsoleResult<N>;
  /** The error of a refused call. */
  error: ConsoleRefusalBody['error'] | undefined;
}

/** A browser of a console user, signed in through the sandbox's OpenID provider. */
export interface DeskBrowser {
  cookie: string;
  call<N extends ConsoleCallName>(
    name: N,
    input?: ConsoleInput<N>,
    headers?: Record<string, string>,
  ): Promise<Answered<N>>;
  /** Performs a step-up. */
  proveAgain(as?: string): Promise<string>;
}

export async function signIn(http: FastifyInstance, email: string): Promise<DeskBrowser> {
  const { location, cookie } = await throughLogin(http, email, { query: {} });
  if (!cookie) throw new Error(`nobody is signed in: ${location}`);
  return deskBrowser(http, email, cookie);
}

/** Another person views and approves the proposal. */
export async function approveAs(http: FastifyInstance, email: string, proposal: string): Promise<Answered<'approve'>> {
  const other = await signIn(http, email);
  const { digest } = (await other.call('approval', { id: proposal })).result;
  return other.call('approve', { id: proposal, digest });
}

export function deskBrowser(http: FastifyInstance, email: string, cookie: string): DeskBrowser {
  return {
    cookie,
    async call(name, input, headers = {}) {
      const method = consoleCalls[name];
      const given = input as Record<string, string> | undefined;
      const answer = await http.inject({
        method,
        url: consoleCallPath(name),
        headers: { cookie, 'user-agent': userAgent, ...(method === 'POST' ? postedHere : {}), ...headers },
        ...(method === 'GET' ? { query: given ?? {} } : { payload: given ?? {} }),
      });
      const body = answer.json();
      return { status: answer.statusCode, result: body, error: body?.error };
    },
    async proveAgain(as = email) {
      return (await throughLogin(http, as, { query: { again: '1', to: '/console/review' }, cookie })).location;
    },
  };
}

/** Follows the login: redirect to the provider, choose a name there, return. */
export async function throughLogin(
  http: FastifyInstance,
  email: string,
  { query, cookie = '' }: { query: Record<string, string>; cookie?: string },
): Promise<{ location: string; cookie: string | null; returned: string; login: string }> {
  const left = await http.inject({ url: '/console/login', query, headers: { 'user-agent': userAgent, cookie } });
  const login = cookiesOf(left.headers['set-cookie']).join('; ');
  const returned = await chooseAtProvider(String(left.headers.location), email);
  const back = await http.inject({
    url: `${returned.pathname}${returned.search}`,
    headers: { 'user-agent': userAgent, cookie: [cookie, login].filter(Boolean).join('; ') },
  });
  const session = cookiesOf(back.headers['set-cookie']).find((one) => one.startsWith('console='));
  return { location: String(back.headers.location), cookie: session ?? null, returned: returned.href, login };
}

async function chooseAtProvider(start: string, email: string): Promise<URL> {
  const jar = new Map<string, string>();
  const go = async (url: string, method = 'GET') => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { method, redirect: 'manual', headers: { cookie } });
    for (const one of cookiesOf(answer.headers.getSetCookie())) {
      const [name = '', value = ''] = one.split('=');
      jar.set(name, value);
    }
    return answer;
  };
  const next = (answer: Response, from: string) => new URL(answer.headers.get('location') ?? '', from).href;
  const page = next(await go(start), start);
  await (await go(page)).text();
  const chosen = `${page}/${email}`;
  const resumed = next(await go(chosen, 'POST'), chosen);
  return new URL(next(await go(resumed), resumed));
}

const cookiesOf = (headers: string | string[] | undefined): string[] =>
  [headers ?? []].flat().flatMap((one) => one.split(';')[0] ?? []);
