import type { z } from 'zod';
import type { ErrorName } from './errors.ts';

/** Which bucket of rate limits a call draws from; the server sets the numbers. */
export type Limit = 'read' | 'lookup' | 'code' | 'verify' | 'payment' | 'status' | 'write' | 'event';

/** `mode`: the way to pay decides whether a verified code is needed. */
export type Proof = 'none' | 'code' | 'mode' | 'token';

export type Access = { readonly limit: Limit; readonly proof: Proof };

export type CallDefinition = {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly result: z.ZodType;
  /** A redirect answers a browser with 303; the result then is what a JSON client gets. */
  readonly answer?: 'redirect';
  /** The same for everybody, and about nobody: a client may keep the answer. Calls for reading may be kept anyway. */
  readonly mayBeKept?: true;
  readonly errors: readonly [ErrorName, ...ErrorName[]];
  readonly access: Access;
};

export const defineCall = <const D extends CallDefinition>(definition: D): D => definition;
