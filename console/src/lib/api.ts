import { type ConsoleCallName, consoleCallPath, consoleCalls } from '@portal/contract/console/calls.ts';
import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import type { ConsoleRefusalBody, ConsoleRefusalCode } from '@portal/contract/console/refusals.ts';

/** Why something was not done; `unreachable` where no answer came, `passkeyCancelled` where the browser gave none. */
export type ProblemCode = ConsoleRefusalCode | 'unreachable' | 'passkeyCancelled';

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly field: string | undefined;
  readonly faults: readonly { field: string; says: string }[];

  constructor(code: ProblemCode, { detail, field, faults = [] }: Omit<ConsoleRefusalBody['error'], 'code'> = {}) {
    super(detail ?? code);
    this.code = code;
    this.detail = detail;
    this.field = field;
    this.faults = faults;
  }
}

/** One call of the console. Fails with a Problem, and with nothing else. */
export async function call<N extends ConsoleCallName>(
  name: N,
  ...[input]: ConsoleInput<N> extends undefined ? [] : [ConsoleInput<N>]
): Promise<ConsoleResult<N>> {
  const method = consoleCalls[name];
  const query = method === 'GET' && input ? `?${new URLSearchParams(textOf(input))}` : '';
  return request(method, consoleCallPath(name) + query, input) as Promise<ConsoleResult<N>>;
}

/** A call that answers a file, which the browser saves under this name. */
export async function download<N extends ConsoleCallName>(name: N, input: ConsoleInput<N>, file: string) {
  const answer = await answerOf(consoleCalls[name], consoleCallPath(name), input ?? {});
  save(await answer.blob(), file);
}

/** What was made or loaded here, as a file: it is on no server for anybody to find. */
export function save(blob: Blob, file: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}

/** The same of an address that is no call. */
export const request = async (method: 'GET' | 'POST', address: string, input: object = {}): Promise<unknown> =>
  (await answerOf(method, address, input)).json().catch(() => null);

async function answerOf(method: 'GET' | 'POST', address: string, input: object): Promise<Response> {
  const answer = await fetch(address, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) } : {}),
  }).catch(() => {
    throw new Problem('unreachable');
  });
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => null);
  const { code = 'failed', ...rest } = (body as ConsoleRefusalBody | null)?.error ?? {};
  throw new Problem(code, rest);
}

const textOf = (input: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );

/** Where one signs in, and comes back to the page that is shown now unless another is named. */
export function loginAddress({ again = false, to = shownPage() } = {}): string {
  return `/console/login?${new URLSearchParams({ to, ...(again ? { again: '1' } : {}) })}`;
}

function shownPage(): string {
  const { pathname, search } = window.location;
  return search.includes('problem=') ? pathname : pathname + search;
}
