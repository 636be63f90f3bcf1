import type { z } from 'zod';
import { auditCalls } from './audit.ts';
import type { ConsoleCallDefinition } from './define-console-call.ts';
import { paymentConsoleCalls } from './payments.ts';
import { peopleCalls } from './people.ts';

/** Every call of the console; the server's routes, their tests and the client follow from it. */
export const consoleCalls = { ...peopleCalls, ...auditCalls, ...paymentConsoleCalls };

export type ConsoleCallName = keyof typeof consoleCalls;

export const consoleRoot = '/console';
export const consoleCallPath = (name: ConsoleCallName): string => `${consoleRoot}/api/${name}`;

type Calls = typeof consoleCalls;
type Part<D, P extends string> = D extends { readonly [K in P]: infer S extends z.ZodType } ? S : never;
type Sent<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.input<S> : undefined;
type Parsed<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.output<S> : undefined;

/** What a client sends: the query of what reads, the body of an act. */
export type ConsoleInput<N extends ConsoleCallName> = Calls[N]['method'] extends 'GET'
  ? Sent<Part<Calls[N], 'query'>>
  : Sent<Part<Calls[N], 'body'>>;
/** The same once it was checked. */
export type ConsoleParsed<N extends ConsoleCallName> = Calls[N]['method'] extends 'GET'
  ? Parsed<Part<Calls[N], 'query'>>
  : Parsed<Part<Calls[N], 'body'>>;
export type ConsoleResult<N extends ConsoleCallName> = z.output<Calls[N]['result']>;

export const consoleCallOf = (name: ConsoleCallName): ConsoleCallDefinition => consoleCalls[name];
