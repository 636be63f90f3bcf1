import * as openid from 'openid-client';
import type { SettingsOf } from '../../config/provider-settings.ts';
import type { HttpClient } from '../http-client.ts';
import { isLoopbackHost } from '../loopback.ts';
import type { openidSettings } from './settings.ts';

/** State of a login, kept encrypted in the browser during the redirect to the provider. */
export interface LoginAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** The identity that the provider asserts. */
export interface Identity {
  subject: string;
  email: string;
  name: string;
  /** By the provider's role names. */
  roles: string[];
  /** When the person last authenticated, in seconds. */
  provedAt: number;
}

export interface IdentityProvider {
  origin: string;
  /** The URL to redirect to; `again` makes the provider authenticate again, even with a session. */
  begin(redirectUri: string, options: { again: boolean }): Promise<{ url: string; attempt: LoginAttempt }>;
  /** Null if the response does not belong to this attempt, or does not identify the person. */
  finish(returned: URL, attempt: LoginAttempt, options: { again: boolean }): Promise<Identity | null>;
}

/** The longest time between authenticating at the provider and its response reaching us. */
const freshSeconds = 120;

/** OpenID Connect, authorization code with PKCE. */
export function connectOpenid(http: HttpClient, settings: SettingsOf<typeof openidSettings>): IdentityProvider {
  const issuer = new URL(settings.issuer);
  let found: Promise<openid.Configuration> | null = null;

  /** Runs once per process. After a failure, the next login tries again. */
  function discovered(): Promise<openid.Configuration> {
    found ??= openid
      .discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
        [openid.customFetch]: fetchBy(http),
        execute: [
          openid.enableNonRepudiationChecks,
          // In production an http issuer is refused at startup.
          ...(isLoopbackHost(issuer.hostname) ? [openid.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        found = null;
        throw error;
      });
    return found;
  }

  return {
    origin: issuer.origin,

    async begin(redirectUri, { again }) {
      const attempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(await discovered(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      });
      return { url: url.href, attempt };
    },

    async finish(returned, { state, nonce, verifier }, { again }) {
      const tokens = await openid
        .authorizationCodeGrant(await discovered(), returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again ? { maxAge: freshSeconds } : {}),
        })
        .catch((error: unknown) => {
          if (error instanceof openid.ClientError || error instanceof openid.AuthorizationResponseError) return null;
          if (error instanceof openid.ResponseBodyError) return null;
          throw error;
        });
      const claims = tokens?.claims();
      if (!claims || typeof claims.email !== 'string' || claims.email_verified === false) return null;
      const roles = claims[settings.rolesClaim];
      return {
        subject: `${claims.iss} ${claims.sub}`,
        email: claims.email,
        name: typeof claims.name === 'string' && claims.name !== '' ? claims.name : claims.email,
        roles: (Array.isArray(roles) ? roles : [roles]).filter((role) => typeof role === 'string'),
        provedAt: claims.auth_time ?? claims.iat,
      };
    },
  };
}

/** Uses the outbound client, so that its timeouts and allowed hosts apply here too. */
function fetchBy(http: HttpClient): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await http.call({
      method: method as 'GET' | 'POST',
      url,
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
    if (answer.kind === 'silence') throw new TypeError(`the OpenID provider gave no answer: ${answer.detail}`);
    return new Response(JSON.stringify(answer.json), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}
