import type { z } from 'zod';
import { analyticsCalls } from './analytics.ts';
import { billCalls } from './bills.ts';
import { bundleCalls } from './bundles.ts';
import type { CallName } from './calls.ts';
import { contentCalls } from './content.ts';
import type { CallDefinition } from './define-call.ts';
import type { FailureEnvelope, SuccessEnvelope } from './envelope.ts';
import { commonErrors, type ErrorName } from './errors.ts';
import { formCalls } from './forms.ts';
import { leadCalls } from './leads.ts';
import { lineCalls } from './lines.ts';
import { otpCalls } from './otp.ts';
import { paymentCalls } from './payments.ts';
import { placeCalls } from './places.ts';
import { resourceCalls } from './resources.ts';
import { ticketCalls } from './tickets.ts';

/** Compiles only when exactly the calls of calls.ts are defined: none missing, none stray. */
const exactlyTheCalls = <D extends Record<CallName, CallDefinition>>(
  definitions: D & Record<Exclude<keyof D, CallName>, never>,
): D => definitions;

export const contract = exactlyTheCalls({
  ...resourceCalls,
  ...lineCalls,
  ...billCalls,
  ...bundleCalls,
  ...otpCalls,
  ...paymentCalls,
  ...ticketCalls,
  ...leadCalls,
  ...formCalls,
  ...placeCalls,
  ...contentCalls,
  ...analyticsCalls,
});

export function errorsOf(name: CallName): ErrorName[] {
  return [...new Set<ErrorName>([...contract[name].errors, ...commonErrors])];
}

type Contract = typeof contract;
type Sent<D, Part extends string> = D extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;
type Parsed<D, Part extends string> = D extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The input that a client sends. */
export type BodyOf<N extends CallName> = Sent<Contract[N], 'body'>;
export type QueryOf<N extends CallName> = Sent<Contract[N], 'query'>;
/** The input that a handler gets after validation. */
export type ParsedBodyOf<N extends CallName> = Parsed<Contract[N], 'body'>;
export type ParsedQueryOf<N extends CallName> = Parsed<Contract[N], 'query'>;

export type ResultOf<N extends CallName> = z.output<Contract[N]['result']>;
export type EnvelopeOf<N extends CallName> = SuccessEnvelope<ResultOf<N>> | FailureEnvelope;
