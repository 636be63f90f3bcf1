import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { sendHostedPage } from '../hosted/hosted-page.ts';
import { html } from '../phone/html.ts';
import { people } from './people.ts';

const root = '/openid';
const client = { id: 'console', secret: 'sandbox-console-secret' };

/** Any port of this machine: the sandbox starts before the portal, and several portals may share it. */
const isConsoleOfThisMachine = (uri: string) =>
  /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/console\/login\/callback$/.test(uri);

/** An OpenID provider where one click signs in as one of the operator's staff. */
export function registerOpenid(app: FastifyInstance): void {
  /** By the base URL of the request, which is also the issuer. */
  const providers = new Map<string, Promise<Provider>>();
  const providerFor = (host: string) => {
    const known = providers.get(host) ?? createProvider(`http://${host}${root}`);
    providers.set(host, known);
    return known;
  };

  app.register(async (scope) => {
    // oidc-provider parses request bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    scope.get(`${root}/interaction/:uid`, async (request, reply) => {
      const provider = await providerFor(request.host);
      const { uid } = await provider.interactionDetails(request.raw, reply.raw);
      return sendHostedPage(reply, {
        provider: 'openid',
        name: 'OpenID provider',
        heading: 'Who are you?',
        amount: '',
        body: html`${people.map(
          ({ name, email, roles }) => html`<form method="post" action="${root}/interaction/${uid}/${email}">
  <button>${name} <small>${email}, ${roles.join(', ')}</small></button></form>`,
        )}`,
      });
    });

    scope.post(`${root}/interaction/:uid/:email`, async (request, reply) => {
      const provider = await providerFor(request.host);
      const { email } = request.params as { email: string };
      if (!people.some((person) => person.email === email)) return reply.code(404).send('Nobody by this name.');
      reply.hijack();
      await provider.interactionFinished(request.raw, reply.raw, { login: { accountId: email } });
    });

    scope.all(`${root}/*`, async (request, reply) => forward(await providerFor(request.host), request, reply));
  });
}

function forward(provider: Provider, { raw }: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  // oidc-provider derives its mount path from url and originalUrl.
  const mounted: IncomingMessage & { originalUrl?: string } = raw;
  mounted.originalUrl = raw.url ?? '';
  raw.url = mounted.originalUrl.slice(root.length);
  provider.callback()(raw, reply.raw);
}

async function createProvider(issuer: string): Promise<Provider> {
  const { default: OpenidProvider, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  // Always ask who signs in: whoever tries the console switches between people.
  const asksWho = new interactionPolicy.Check('choice', 'somebody has to be chosen', 'login_required', ({ oidc }) =>
    oidc.result?.login ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT,
  );
  policy.get('login')?.checks.add(asksWho);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new OpenidProvider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: ['http://localhost/console/login/callback'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], roles: ['roles'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, email) => {
      const person = people.find((one) => one.email === email);
      return person && { accountId: email, claims: () => ({ sub: email, email_verified: true, ...person }) };
    },
    interactions: { policy, url: (_context, { uid }) => `${root}/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    // No consent screen: the console belongs to the same operator.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid email profile roles');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'roles'],
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 3600, Session: 3600 },
  });
  provider.Client.prototype.redirectUriAllowed = isConsoleOfThisMachine;
  return provider;
}
