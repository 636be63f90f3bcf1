import { type CallName, callPrefixes, calls, servedPaths } from '@portal/contract/calls.ts';
import { contract, errorsOf, type ParsedBodyOf, type ParsedQueryOf, type ResultOf } from '@portal/contract/contract.ts';
import type { Access, CallDefinition } from '@portal/contract/define-call.ts';
import { envelope, failureEnvelope } from '@portal/contract/envelope.ts';
import { errorDetails } from '@portal/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PortalError } from './portal-error.ts';
import type { LimitClass, RateLimits } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route declares its rate limit and the proof it requires; a test walks them all. */
    access?: { limit: LimitClass | 'none'; proof: Access['proof'] | 'session' };
    call?: string;
    /** The same for a console call. */
    consoleCall?: string;
  }
}

export interface CallRequest<N extends CallName> {
  body: ParsedBodyOf<N>;
  query: ParsedQueryOf<N>;
  headers: Record<string, unknown>;
  /** The client's address, as far as trusted proxies report it. */
  ip: string;
  /** The locale for the texts of the response. */
  language: string;
}

export type Handler<N extends CallName> = (request: CallRequest<N>) => Promise<ResultOf<N>>;
/** The handlers of one area, or of all. */
export type Handlers = { [N in CallName]?: Handler<N> };

export interface CallOptions {
  /** Null if the calls are only described, for the OpenAPI document. */
  handlers: Handlers | null;
  limits: RateLimits;
  slug: string;
  languageOf: (request: FastifyRequest) => string;
}

/** Registers a route for every call of the contract. */
export function registerCalls(app: FastifyInstance, options: CallOptions): void {
  // There are no pages under these prefixes, so an unknown address gets the envelope.
  for (const prefix of callPrefixes)
    app.all(`${prefix}/*`, { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } }, () => {
      throw new PortalError('callUnknown');
    });
  for (const name of Object.keys(calls) as CallName[]) {
    const definition: CallDefinition = contract[name];
    const { method, service } = calls[name];
    const handler = handlerOf(name, options.handlers);
    const [documented, ...aliases] = servedPaths(name, { slug: options.slug });
    for (const url of [documented as string, ...aliases]) {
      app.route({
        method,
        url,
        schema: {
          operationId: url === documented ? name : `${name}Alias`,
          hide: url !== documented,
          summary: definition.summary,
          tags: [...definition.tags],
          ...(definition.query ? { querystring: definition.query } : {}),
          ...(definition.body ? { body: definition.body } : {}),
          ...(definition.headers ? { headers: definition.headers } : {}),
          response: responses(name, definition),
        },
        config: { access: definition.access, call: name },
        preValidation: async (request, reply) => {
          const wait = await options.limits.take(definition.access.limit, request.ip);
          if (wait === null) return;
          reply.header('retry-after', String(wait));
          throw new PortalError('tooManyRequests', { retryAfterSeconds: wait }, { seconds: wait });
        },
        handler: async (request, reply) => {
          const result = await handler({
            body: request.body as never,
            query: request.query as never,
            headers: request.headers,
            ip: request.ip,
            language: options.languageOf(request),
          });
          if (definition.mayBeKept) reply.header('cache-control', 'private, no-cache');
          else if (definition.access.limit !== 'read') reply.header('cache-control', 'no-store');
          if (definition.answer === 'redirect' && String(request.headers.accept).includes('text/html'))
            return reply.redirect((result as { redirectUrl: string }).redirectUrl, 303);
          if (service === 'cms') return result;
          return { statusCode: 200, status: 'success', message: 'OK', result };
        },
      });
    }
  }
}

function responses(name: CallName, definition: CallDefinition): Record<number, z.ZodType> {
  const success = calls[name].service === 'cms' ? definition.result : envelope(definition.result);
  const failures = errorsOf(name).map((error) => [errorDetails[error].http, failureEnvelope]);
  return { 200: success, ...Object.fromEntries(failures) };
}

function handlerOf(name: CallName, handlers: Handlers | null): Handler<CallName> {
  const handler = handlers?.[name] as Handler<CallName> | undefined;
  if (handlers && !handler) throw new Error(`the call ${name} has no handler`);
  return handler ?? (() => Promise.reject(new Error('calls are only described here')));
}
