import type { z } from 'zod';
import type { ErrorName } from './errors.ts';

/** The rate-limit class of a call; the server sets the numbers. */
export type Limit = 'read' | 'lookup' | 'code' | 'verify' | 'payment' | 'status' | 'write' | 'event';

/** `mode`: the payment mode decides whether a verified code is needed. */
export type Proof = 'none' | 'code' | 'mode' | 'token';

export type Access = { readonly limit: Limit; readonly proof: Proof };

export type CallDefinition = {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly result: z.ZodType;
  /** A browser's form post is answered with a 303 redirect; a JSON client gets the result. */
  readonly answer?: 'redirect';
  /** The same response for everybody, without personal data: clients may cache it. Read calls may be cached anyway. */
  readonly mayBeKept?: true;
  readonly errors: readonly [ErrorName, ...ErrorName[]];
  readonly access: Access;
};

export const defineCall = <const D extends CallDefinition>(definition: D): D => definition;
