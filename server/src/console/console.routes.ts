import { Readable } from 'node:stream';
import {
  type ConsoleCallName,
  consoleCallPath,
  consoleCalls,
  consoleRoot,
  passkeyPaths,
  personHeader,
} from '@portal/contract/console/calls.ts';
import { consoleContract } from '@portal/contract/console/contract.ts';
import type { ConsoleCallDefinition } from '@portal/contract/console/define-console-call.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Audit } from '../audit/audit.service.ts';
import type { IdentityProvider, LoginAttempt } from '../connectors/openid/index.ts';
import { isConnectionLoss, isRolledBack } from '../db/connection-loss.ts';
import type { Schema } from '../db/schema.ts';
import type { Logger } from '../http/logging.ts';
import { PortalError } from '../http/portal-error.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { cookieOf } from '../http/visits.ts';
import { type Browser, type Console, type ConsoleHandlers, ConsoleRefusal, type Signed } from './console.service.ts';
import type { Passkeys } from './passkeys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; null on every other route. */
    signed: Signed | null;
  }
}

export interface ConsoleRoutes {
  db: Kysely<Schema>;
  console: Console;
  audit: Audit;
  /** How people sign in. */
  signIn: { provider: IdentityProvider } | { passkeys: Passkeys };
  handlers: Required<ConsoleHandlers>;
  limits: Pick<RateLimits, 'take'>;
  tokens: SealedTokens;
  /** The origin of the console. */
  origin: string;
  isSecure: boolean;
  log: Logger;
}

interface Login {
  attempt: LoginAttempt;
  /** The page that was requested. */
  to: string;
  again: boolean;
}

/** How long a sign-in attempt is valid. */
const loginSeconds = 600;
const loginPath = `${consoleRoot}/login`;

/** Sign-in, sign-out and every call of the console. Its pages are registered separately. */
export async function registerConsole(app: FastifyInstance, routes: ConsoleRoutes): Promise<void> {
  const { console: people, audit, handlers, limits, log } = routes;
  const cookies = cookieNames(routes.isSecure);

  async function limit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access } = request.routeOptions.config;
    if (!access || access.limit === 'none') return;
    // Many people share an address, strangers among them, so a signed-in person is counted by themselves.
    const wait = await limits.take(access.limit, request.signed?.personId ?? request.ip);
    if (wait === null) return;
    reply.header('retry-after', String(wait));
    throw new ConsoleRefusal('tooMany');
  }

  const openFrom = (request: FastifyRequest) =>
    people.open(cookieOf(request.headers.cookie, cookies.session), browserOf(request));

  /** A call without permission is refused and recorded in the audit log. */
  async function permit(name: ConsoleCallName, signed: Signed): Promise<void> {
    const { permission, stepUp }: ConsoleCallDefinition = consoleContract[name];
    if (permission && !signed.may(permission)) {
      await audit.write(routes.db, signed.actor, {
        act: 'call.refused',
        subject: { kind: 'call', id: name },
        reason: `without ${permission}`,
      });
      throw new ConsoleRefusal('notPermitted');
    }
    if (stepUp && !people.isProved(signed)) throw new ConsoleRefusal('proveAgain');
  }

  app.decorateRequest('signed', null);
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      reply.header('x-robots-tag', 'noindex');
      done();
    });
    scope.addHook('preValidation', limit);
    const logFailed = (request: FastifyRequest, error: unknown) =>
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed');
    scope.setErrorHandler((error: unknown, request, reply) => {
      const refusal = refusalOf(error);
      const { body } = refusal;
      if (refusal.httpStatus >= 500) {
        logFailed(request, error);
        // The reference a person can quote: the beginning of the request id in the log.
        body.error.reference = request.id.slice(0, 8);
      }
      if (refusal.httpStatus === 401) reply.header('www-authenticate', 'Session');
      return reply.status(refusal.httpStatus).send(body);
    });

    for (const name of Object.keys(consoleCalls) as ConsoleCallName[]) {
      const method = consoleCalls[name];
      const { summary, query, body, isReading, bodyBytes, result, isFile }: ConsoleCallDefinition =
        consoleContract[name];
      const handler = handlers[name] as (input: unknown, signed: Signed) => Promise<unknown>;
      scope.route({
        method,
        url: consoleCallPath(name),
        ...(bodyBytes ? { bodyLimit: bodyBytes } : {}),
        schema: {
          hide: true,
          summary,
          ...(query ? { querystring: query } : {}),
          ...(body ? { body } : {}),
          ...(isFile ? {} : { response: { 200: result } }),
        },
        config: {
          access: { limit: isReading || method === 'GET' ? 'read' : 'write', proof: 'session' },
          consoleCall: name,
        },
        // Checked before the request is validated, so that strangers learn nothing from validation errors.
        onRequest: async (request) => {
          const signed = await openFrom(request);
          const shown = request.headers[personHeader];
          if (shown !== undefined && shown !== signed.personId) throw new ConsoleRefusal('otherPerson');
          await permit(name, signed);
          request.signed = signed;
        },
        handler: async (request, reply) => {
          const signed = signedOf(request);
          const answer = await retried(() => handler(method === 'GET' ? request.query : request.body, signed));
          if (!isFile) return answer;
          reply.header('content-disposition', 'attachment').type('text/csv; charset=utf-8');
          // The response has started, so it can only be aborted; the log has the reason.
          const broken = (error: unknown) => logFailed(request, error);
          return Readable.from(withEnds(answer as AsyncIterable<string>)).once('error', broken);
        },
      });
    }

    const unknown = { access: { limit: 'read', proof: 'none' } } as const;
    scope.all(`${consoleRoot}/api/*`, { config: unknown, schema: { hide: true } }, () => {
      throw new ConsoleRefusal('notFound');
    });

    const open: LoginRoutes = { ...routes, cookies, openFrom: (request) => openFrom(request).catch(() => null) };
    if ('provider' in routes.signIn) registerOpenidLogin(scope, open, routes.signIn.provider);
    else registerPasskeyLogin(scope, open, routes.signIn.passkeys);
  });
}

type LoginRoutes = Pick<ConsoleRoutes, 'console' | 'tokens' | 'origin' | 'log'> & {
  cookies: ReturnType<typeof cookieNames>;
  openFrom: (request: FastifyRequest) => Promise<Signed | null>;
};

const access = { limit: 'write', proof: 'none' } as const;

/** Sign-in with redirects to the OpenID provider and back. */
function registerOpenidLogin(scope: FastifyInstance, routes: LoginRoutes, provider: IdentityProvider): void {
  const { console: people, tokens, origin, cookies, openFrom, log } = routes;
  const redirectUri = `${origin}${loginPath}/callback`;

  scope.get(loginPath, { config: { access }, schema: { hide: true } }, async (request, reply) => {
    const { to, again } = request.query as { to?: unknown; again?: unknown };
    const isAgain = again === '1';
    const { url, attempt } = await provider.begin(redirectUri, { again: isAgain }).catch((error: unknown) => {
      log.error({ err: error }, 'the OpenID provider cannot be used');
      throw new ConsoleRefusal('unavailable');
    });
    const login: Login = { attempt, to: pageOf(to), again: isAgain };
    const sealed = tokens.seal('console login', login, loginSeconds);
    return reply
      .header('set-cookie', cookies.set(cookies.login, sealed, { path: loginPath, seconds: loginSeconds }))
      .redirect(url, 302);
  });

  scope.get(`${loginPath}/callback`, { config: { access }, schema: { hide: true } }, async (request, reply) => {
    const sealed = cookieOf(request.headers.cookie, cookies.login);
    const login = (sealed && tokens.open('console login', sealed)) as Login | null;
    // The login cookie is cleared in any case: the callback URL works once.
    reply.header('set-cookie', cookies.set(cookies.login, '', { path: loginPath, seconds: 0 }));
    if (!login) return reply.redirect(`${consoleRoot}?problem=loginOver`, 302);
    const returned = new URL(request.url, origin);
    const identity = await provider.finish(returned, login.attempt, login).catch((error: unknown) => {
      log.error({ err: error }, 'the OpenID provider cannot be used');
      return null;
    });
    if (!identity) return reply.redirect(`${consoleRoot}?problem=loginRefused`, 302);
    const signed = await openFrom(request);
    if (login.again && signed) {
      // A step-up as another person changes nothing: the session stays as it is, and the act is not done.
      const isSame = await people.proveAgain(signed, identity);
      return reply.redirect(isSame ? login.to : `${consoleRoot}/proved?problem=otherPerson`, 302);
    }
    if (signed) await people.end(signed.session, 'signedInAgain', signed.actor);
    const token = await people.signIn(identity, browserOf(request));
    if (!token) return reply.redirect(`${consoleRoot}?problem=noRole`, 302);
    reply.header('set-cookie', cookies.set(cookies.session, token, { path: '/', seconds: null }));
    return reply.redirect(login.to, 302);
  });
}

const webauthnResponse = z.record(z.string(), z.unknown());
const signInBody = z.object({ sealed: z.string().max(4_096), response: webauthnResponse });
const joinBody = z.object({ invitation: z.string().max(100) });
const joinedBody = z.object({ ...signInBody.shape, ...joinBody.shape, name: z.string().trim().min(1).max(60) });

/** Sign-in with passkeys, on the console's own page. */
function registerPasskeyLogin(scope: FastifyInstance, routes: LoginRoutes, passkeys: Passkeys): void {
  const { console: people, cookies, openFrom } = routes;
  const route = (method: 'GET' | 'POST', url: string, body: z.ZodType | null, handler: RouteHandlerMethod) =>
    scope.route({ method, url, config: { access }, schema: { hide: true, ...(body ? { body } : {}) }, handler });
  const setSession = (reply: FastifyReply, token: string) =>
    reply.header('set-cookie', cookies.set(cookies.session, token, { path: '/', seconds: null }));

  route('GET', loginPath, null, async (_request, reply) => reply.redirect(consoleRoot, 302));
  route('GET', passkeyPaths.signIn, null, async (request) => passkeys.signInOptions(await openFrom(request)));
  route('POST', passkeyPaths.signIn, signInBody, async (request, reply) => {
    const signed = await openFrom(request);
    const entered = await passkeys.signIn(request.body as z.output<typeof signInBody>, browserOf(request), signed);
    if (!entered) throw new ConsoleRefusal('passkeyRefused');
    if (entered === 'proved') return null;
    if (entered === 'otherPerson') throw new ConsoleRefusal('proofOfOther');
    setSession(reply, entered.token);
    return null;
  });
  route('POST', passkeyPaths.join, joinBody, async (request) => {
    const { invitation } = request.body as z.output<typeof joinBody>;
    const asked = await passkeys.joinOptions(invitation);
    if (!asked) throw new ConsoleRefusal('invitationOver');
    return asked;
  });
  route('POST', passkeyPaths.joined, joinedBody, async (request, reply) => {
    const token = await passkeys.join(request.body as z.output<typeof joinedBody>, browserOf(request));
    if (!token) throw new ConsoleRefusal('invitationOver');
    const signed = await openFrom(request);
    if (signed) await people.end(signed.session, 'signedInAgain', signed.actor);
    setSession(reply, token);
    return null;
  });
}

/** Retries a transaction that was rolled back because of a concurrent one. */
async function retried<T>(act: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (tries <= 1 || !isRolledBack(error)) throw error;
    return retried(act, tries - 1);
  }
}

async function* withEnds(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\r\n`;
}

function signedOf({ signed }: FastifyRequest): Signed {
  if (!signed) throw new ConsoleRefusal('notSignedIn');
  return signed;
}

const browserOf = ({ headers, ip }: FastifyRequest): Browser => ({
  userAgent: String(headers['user-agent'] ?? ''),
  address: ip,
});

/** Only a page of the console, to prevent an open redirect. */
function pageOf(to: unknown): string {
  const isPage =
    typeof to === 'string' && /^\/console(?:[/?][\w/?&=.%~-]*)?$/.test(to) && !/\.\.|^\/console\/login/.test(to);
  return isPage ? to : consoleRoot;
}

function cookieNames(isSecure: boolean) {
  const secure = isSecure ? '; Secure' : '';
  return {
    session: isSecure ? '__Host-console' : 'console',
    login: isSecure ? '__Secure-console-login' : 'console-login',
    set(name: string, value: string, { path, seconds }: { path: string; seconds: number | null }) {
      const age = seconds === null ? '' : `; Max-Age=${seconds}`;
      return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${age}${secure}`;
    },
  };
}

/** Maps every error to a code that the console has a text for. Details stay in the log. */
function refusalOf(error: unknown): ConsoleRefusal {
  if (error instanceof ConsoleRefusal) return error;
  if (!(error instanceof Error)) return new ConsoleRefusal('failed');
  if (error instanceof PortalError && error.refusal === 'crossSite') return new ConsoleRefusal('crossSite');
  if (error instanceof PortalError && error.kind === 'notFound') return new ConsoleRefusal('notFound');
  if (hasZodFastifySchemaValidationErrors(error)) {
    const field = error.validation[0]?.instancePath.split('/').filter(Boolean).join('.') ?? '';
    return new ConsoleRefusal('invalid', field ? { field } : {});
  }
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new ConsoleRefusal('tooLarge');
  if (status >= 400 && status < 500) return new ConsoleRefusal('invalid');
  // Text that PostgreSQL cannot store, such as a NUL byte.
  if (/^22(?:021|P05)$/.test('code' in error ? String(error.code) : '')) return new ConsoleRefusal('invalid');
  return new ConsoleRefusal(isConnectionLoss(error) ? 'unavailable' : 'failed');
}
