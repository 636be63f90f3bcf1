import { isLoopbackHost } from '../connectors/loopback.ts';
import type { Environment } from './environment.ts';
import { sandboxDefaults } from './providers.ts';

/**
 * Minimum entropy in bits, beyond brute force. 16 random bytes in hexadecimal have about 115 by this measure; of
 * 300,000 such keys none had under 75.
 */
const leastEntropy = 64;

/** Settings that have a URL without saying so in their name. */
const otherAddresses = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'CARD_CHECKOUT_ORIGINS', 'ORANGE_CHECKOUT_ORIGINS'];
/** Not called over HTTP by us: the database, SMS and mail have rules of their own. */
const ownRules = ['PUBLIC_URL', 'CONSOLE_ORIGIN', 'DATABASE_URL', 'SMPP_URL', 'SMTP_URL'];

/** Settings that are unsafe in production, a sentence each. Missing ones are reported elsewhere. */
export function productionProblems(env: Environment, variables: Record<string, string | undefined>): string[] {
  return [
    ...publicAddressProblems(env),
    ...secretProblems(env),
    ...databaseProblems(env.DATABASE_URL),
    ...providerProblems(env),
    ...sandboxProblems(env),
    ...(variables.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? ['NODE_TLS_REJECT_UNAUTHORIZED=0 believes anybody to be any provider: take it out']
      : []),
  ];
}

function publicAddressProblems({ PUBLIC_URL, CONSOLE_ORIGIN, TRUSTED_PROXIES }: Environment): string[] {
  return [
    ...(CONSOLE_ORIGIN?.startsWith('http://')
      ? ['CONSOLE_ORIGIN must begin with https://, or sessions of the operator’s people cross the network in clear']
      : []),
    ...(PUBLIC_URL
      ? PUBLIC_URL.startsWith('https://')
        ? []
        : ['PUBLIC_URL must begin with https://, or codes and PINs cross the network in clear']
      : ['PUBLIC_URL is not set (the address customers see)']),
    ...(TRUSTED_PROXIES.length === 0
      ? [
          'TRUSTED_PROXIES is not set (the addresses of the proxy in front, whose word about customers’ addresses counts)',
        ]
      : []),
    ...(TRUSTED_PROXIES.some((proxy) => /\/0+$/.test(proxy))
      ? ['TRUSTED_PROXIES believes everybody: name the proxy’s own addresses']
      : []),
  ];
}

function secretProblems({ PORTAL_SECRET, METRICS_KEY, PERSONAL_DATA_KEYS = [] }: Environment): string[] {
  const listed = PERSONAL_DATA_KEYS.filter(({ secret }) => secret !== '');
  const secrets: [string, string | undefined][] = [
    ['PORTAL_SECRET', PORTAL_SECRET],
    ['METRICS_KEY', METRICS_KEY],
    ...listed.map(({ id, secret }): [string, string] => [`PERSONAL_DATA_KEYS (${id})`, secret]),
  ];
  return [
    ...secrets.flatMap(([name, secret]) =>
      secret !== undefined && entropyOf(secret) < leastEntropy
        ? [`${name} can be guessed: make it with openssl rand -base64 48`]
        : [],
    ),
    ...(new Set(listed.map(({ secret }) => secret)).size < listed.length
      ? ['PERSONAL_DATA_KEYS has the same key under two names: make each one anew']
      : []),
  ];
}

/**
 * An upper bound of a text's entropy in bits: repeated characters, runs such as abcdef and repeated parts count less
 * than their length.
 */
function entropyOf(text: string): number {
  const units = [...text];
  const steps = units.slice(1).map((unit, index) => (unit.codePointAt(0) ?? 0) - (units[index]?.codePointAt(0) ?? 0));
  const threes = units.slice(2).map((unit, index) => `${units[index]}${units[index + 1]}${unit}`);
  return (new Set(threes).size + 2) * Math.min(bitsEach(units), bitsEach(steps));
}

function bitsEach(items: readonly unknown[]): number {
  const counts = new Map<unknown, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / items.length) * Math.log2(count / items.length),
    0,
  );
}

function databaseProblems(url: string | undefined): string[] {
  if (!url)
    return [
      'DATABASE_URL is not set: the embedded database can lose payments, set DATABASE_URL to a PostgreSQL (postgresql://…)',
    ];
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopbackHost(host);
  const isVerified = searchParams.get('sslmode') === 'verify-full' && !searchParams.has('uselibpqcompat');
  return isHere || isVerified
    ? []
    : ['DATABASE_URL leads to another machine without sslmode=verify-full, which checks its certificate'];
}

function providerProblems(env: Environment): string[] {
  const addresses = Object.entries(env).flatMap(([name, value]) =>
    (name.endsWith('_URL') && !ownRules.includes(name)) || otherAddresses.includes(name)
      ? [value].flat().map((address) => [name, String(address ?? '')] as const)
      : [],
  );
  const inClear = addresses.filter(([, address]) => /^http:/.test(address) && !isLoopbackHost(hostOf(address)));
  return [
    ...[...new Set(inClear.map(([name]) => name))].map((name) => `${name} must begin with https://`),
    ...(env.SMPP_URL?.startsWith('smpp:') && !isLoopbackHost(hostOf(env.SMPP_URL))
      ? ['SMPP_URL must begin with smpps://, or codes cross the network in clear']
      : []),
    ...(/[?&](?:ignoreTLS=|tls\.rejectUnauthorized=|requireTLS=false)/i.test(env.SMTP_URL ?? '')
      ? ['SMTP_URL must not turn TLS or its certificates off']
      : []),
  ];
}

const hostOf = (address: string) => new URL(address.replace(/\{[^}]*\}/g, 'x')).hostname;

function sandboxProblems(env: Environment): string[] {
  if (env.SANDBOX === '1') return [];
  const ofSandbox = sandboxDefaults('http://localhost');
  const isOfSandbox = (name: string, value: unknown) =>
    /sandbox/i.test(String(ofSandbox[name] ?? '')) && String(value) === String(ofSandbox[name]);
  return [
    ...(env.SANDBOX_URL ? ['SANDBOX_URL is set: production uses no sandbox unless SANDBOX=1 asks for it by name'] : []),
    ...Object.entries(env)
      .filter(([name, value]) => isOfSandbox(name, value))
      .map(([name]) => `${name} is the sandbox’s own, which everybody can read`),
  ];
}
