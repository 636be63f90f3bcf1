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

/** The same of an address that is no call. */
export async function request(method: 'GET' | 'POST', address: string, input: object = {}): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) } : {}),
  }).catch(() => {
    throw new Problem('unreachable');
  });
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  const { code = 'failed', ...rest } = (body as ConsoleRefusalBody | null)?.error ?? {};
  throw new Problem(code, rest);
}

const textOf = (input: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );

/** Where one signs in, and comes back to the page that is shown now. */
export function loginAddress({ again = false } = {}): string {
  const { pathname, search } = window.location;
  const to = search.includes('problem=') ? pathname : pathname + search;
  return `/console/login?${new URLSearchParams({ to, ...(again ? { again: '1' } : {}) })}`;
}
