import type { z } from 'zod';
import { approvalCalls } from './approvals.ts';
import { auditCalls } from './audit.ts';
import type { ConsoleCallName, consoleCalls } from './calls.ts';
import { contentConsoleCalls } from './content.ts';
import type { ConsoleCallDefinition } from './define-console-call.ts';
import { feedbackCalls } from './feedback.ts';
import { insightCalls } from './insight.ts';
import { leadConsoleCalls } from './leads.ts';
import { paymentConsoleCalls } from './payments.ts';
import { peopleCalls } from './people.ts';
import { personCalls } from './persons.ts';
import { placeConsoleCalls } from './places.ts';
import { reconciliationCalls } from './reconciliation.ts';
import { sheetCalls } from './sheets.ts';
import { ticketConsoleCalls } from './tickets.ts';
import { viewCalls } from './views.ts';
import { wayCalls } from './ways.ts';

/** Compiles only when exactly the calls of calls.ts are defined: none missing, none stray. */
const exactlyTheCalls = <D extends Record<ConsoleCallName, ConsoleCallDefinition>>(
  definitions: D & Record<Exclude<keyof D, ConsoleCallName>, never>,
): D => definitions;

/** The server's routes and their tests are generated from it. */
export const consoleContract = exactlyTheCalls({
  ...peopleCalls,
  ...auditCalls,
  ...viewCalls,
  ...paymentConsoleCalls,
  ...reconciliationCalls,
  ...approvalCalls,
  ...personCalls,
  ...ticketConsoleCalls,
  ...wayCalls,
  ...leadConsoleCalls,
  ...feedbackCalls,
  ...insightCalls,
  ...sheetCalls,
  ...placeConsoleCalls,
  ...contentConsoleCalls,
});

type Contract = typeof consoleContract;
/** A read has a query, an act has a body. */
type InputSchema<N extends ConsoleCallName> = (typeof consoleCalls)[N] extends 'GET'
  ? Part<Contract[N], 'query'>
  : Part<Contract[N], 'body'>;
type Part<D, P extends string> = D extends { readonly [K in P]: infer S extends z.ZodType } ? S : null;

/** The input that a client sends. */
export type ConsoleInput<N extends ConsoleCallName> =
  InputSchema<N> extends infer S ? (S extends z.ZodType ? z.input<S> : undefined) : never;
/** The input after validation. */
export type ConsoleParsed<N extends ConsoleCallName> =
  InputSchema<N> extends infer S ? (S extends z.ZodType ? z.output<S> : undefined) : never;
export type ConsoleResult<N extends ConsoleCallName> = z.output<Contract[N]['result']>;
