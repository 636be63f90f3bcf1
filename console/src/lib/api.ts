import { type ConsoleCallName, consoleCallPath, consoleCalls, personHeader } from '@portal/contract/console/calls.ts';
import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import type { ConsoleRefusalBody, ConsoleRefusalCode, Parameters } from '@portal/contract/console/refusals.ts';
import type { MoneyProblem } from './read-money.ts';

/**
 * Why a call failed, or why its input could not be parsed. `unreachable`: no response came; `offline`: nothing was sent;
 * `passkeyCancelled`: the browser returned no passkey.
 */
export type ProblemCode = ConsoleRefusalCode | MoneyProblem | 'unreachable' | 'offline' | 'passkeyCancelled';

export class Problem extends Error {
  readonly code: ProblemCode;
  /** Parameters of its text. */
  readonly parameters: Parameters;
  readonly field: string | undefined;
  /** Of an internal error: the id of its line in the log. */
  readonly reference: string | undefined;
  readonly faults: NonNullable<ConsoleRefusalBody['error']['faults']>;

  constructor(
    code: ProblemCode,
    { parameters = {}, field, reference, faults = [] }: Omit<ConsoleRefusalBody['error'], 'code'> = {},
  ) {
    super(code);
    this.code = code;
    this.parameters = parameters;
    this.field = field;
    this.reference = reference;
    this.faults = faults;
  }
}

/** Codes with which the server says that nobody is signed in, or no longer. */
export const isSignedOut = (problem: unknown): boolean =>
  problem instanceof Problem && ['notSignedIn', 'sessionEnded', 'otherBrowser'].includes(problem.code);

/** Called when a response shows that the session ended, or now belongs to another person. */
let tellOver = () => {};

/** The person the page was loaded for; calls on behalf of anybody else are refused. */
let shownPerson: string | null = null;
export const callAs = (person: string): void => {
  shownPerson = person;
};

/** Returns a function that unsubscribes. */
export function onSessionOver(told: () => void): () => void {
  tellOver = told;
  return () => {
    tellOver = () => {};
  };
}

/** One call of the console. Throws a Problem and nothing else. */
export async function call<N extends ConsoleCallName>(
  name: N,
  ...[input]: ConsoleInput<N> extends undefined ? [] : [ConsoleInput<N>]
): Promise<ConsoleResult<N>> {
  const method = consoleCalls[name];
  const query = method === 'GET' && input ? `?${new URLSearchParams(textOf(input))}` : '';
  return request(method, consoleCallPath(name) + query, input) as Promise<ConsoleResult<N>>;
}

/** A call whose response is a file, which the browser saves under this name. */
export async function download<N extends ConsoleCallName>(name: N, input: ConsoleInput<N>, file: string) {
  const answer = await answerOf(consoleCalls[name], consoleCallPath(name), input ?? {});
  save(await answer.blob(), file);
}

/** Saves content made or loaded here as a file: it is on no server. */
export function save(blob: Blob, file: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}

/** Sends a request to a URL that is not a call of the contract. */
export const request = async (method: 'GET' | 'POST', address: string, input: object = {}): Promise<unknown> =>
  (await answerOf(method, address, input)).json().catch(() => null);

/** After this long without a response, the call ends and its outcome is unknown. */
const longestActMs = 60_000;

async function answerOf(method: 'GET' | 'POST', address: string, input: object): Promise<Response> {
  if (!navigator.onLine) throw new Problem('offline');
  const answer = await fetch(address, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      // `me` finds out who is signed in.
      ...(shownPerson && address !== consoleCallPath('me') ? { [personHeader]: shownPerson } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(input), signal: AbortSignal.timeout(longestActMs) } : {}),
  }).catch(() => {
    throw new Problem('unreachable');
  });
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => null);
  const { code = 'failed', ...rest } = (body as ConsoleRefusalBody | null)?.error ?? {};
  const problem = new Problem(code, rest);
  // The app itself calls `me` to find out who is signed in.
  const isOver = isSignedOut(problem) || code === 'otherPerson';
  if (isOver && address !== consoleCallPath('me')) tellOver();
  throw problem;
}

const textOf = (input: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );

/** The sign-in URL; afterwards it returns to the current page unless another is given. */
export function loginAddress({ again = false, to = shownPage() } = {}): string {
  return `/console/login?${new URLSearchParams({ to, ...(again ? { again: '1' } : {}) })}`;
}

function shownPage(): string {
  const { pathname, search } = window.location;
  return search.includes('problem=') ? pathname : pathname + search;
}
