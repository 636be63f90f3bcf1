import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GeocoderSettings, publicGeocoders } from '../connectors/geocoder/settings.ts';
import { type DataKey, derivedKey } from '../db/personal-data.ts';
import { type Environment, environment } from './environment.ts';
import { productionProblems } from './production.ts';
import { isOptional, type ProviderSettings } from './provider-settings.ts';
import { type ProviderConfig, providers, sandboxDefaults } from './providers.ts';

export interface Config extends ProviderConfig {
  production: boolean;
  operator: string;
  /** Null if the pack is in the repository. */
  operatorsDir: string | null;
  port: number;
  host: string;
  publicUrl: string;
  /** The console's origin and sign-in method; null without a console. */
  console: { origin: string; signIn: 'openid' | 'passkeys' } | null;
  trustedProxies: string[];
  privateHosts: string[];
  logLevel: Environment['LOG_LEVEL'];
  database: { url: string; poolSize: number; prepares: boolean } | { folder: string };
  secret: string;
  /** The first key encrypts; the others only decrypt. */
  personalDataKeys: DataKey[];
  drainSeconds: number;
  rateLimitScale: number;
  settledLimitMs: number;
  fourEyesOver: number;
  fourEyesWays: boolean;
  fourEyesPublishing: boolean;
  fourEyesRoles: boolean;
  goodwillMost: number | null;
  /** The maximum of concurrent event streams. */
  liveStreams: number;
  /** False unregisters the service worker in browsers. */
  serviceWorker: boolean;
  metricsKey: string | null;
  tracing: { url: string; service: string } | null;
  sandboxUrl: string | null;
  /** In seconds, by the name of an external system. */
  lags: Record<string, number>;
  lateMoneyTerms: Record<string, number>;
  leadsMailTo: string | null;
  leadsKeepDays: number;
  securityContact: string | null;
  /** Null uses the pack's value. */
  walletPinMode: boolean | null;
  geocoder: GeocoderSettings | null;
  mapTiles: { url: string; attribution: string } | null;
}

/** A message for the person who starts the portal, without a stack. */
export class ConfigError extends Error {}

export function readConfig(variables: Record<string, string | undefined>): Config {
  const given = withFiles(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== '')),
  );
  const { env, unusable } = readSettings(given);
  const production = env.NODE_ENV === 'production';
  // All errors are reported together, so that an installation does not need a start for each.
  const isReported = (problem: string) => [...unusable.keys()].some((name) => problem.startsWith(`${name} `));
  const unsafe = production ? productionProblems(env, variables).filter((problem) => !isReported(problem)) : [];
  const problems = [...unusable.values(), ...unsafe];

  const settings = { ...(env.SANDBOX_URL ? sandboxDefaults(env.SANDBOX_URL) : {}), ...definedOnly(env) } as Environment;
  function need<K extends keyof Environment>(name: K): NonNullable<Environment[K]> {
    const value = settings[name];
    if ((value === undefined || value === null) && !unusable.has(name))
      problems.push(`${name} is not set (${environment.shape[name].description})`);
    return value as NonNullable<Environment[K]>;
  }
  const secret = production ? need('PORTAL_SECRET') : (env.PORTAL_SECRET ?? storedSecret(resolve(env.DATA_DIR)));
  const dataKeys = production
    ? need('PERSONAL_DATA_KEYS')
    : (env.PERSONAL_DATA_KEYS ?? [{ id: derivedKey, secret: '' }]);
  const config: Config = {
    production,
    operator: env.OPERATOR,
    operatorsDir: env.OPERATORS_DIR ?? null,
    port: env.PORT,
    host: env.HOST,
    publicUrl: publicUrlOf(settings),
    console: consoleOf(settings, need),
    trustedProxies: env.TRUSTED_PROXIES,
    privateHosts: env.PRIVATE_HOSTS,
    logLevel: env.LOG_LEVEL,
    database: env.DATABASE_URL
      ? { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL, prepares: env.DATABASE_PREPARED === '1' }
      : { folder: resolve(env.DATA_DIR) },
    secret,
    personalDataKeys: (dataKeys ?? []).map((key) => (key.id === derivedKey ? { ...key, secret } : key)),
    drainSeconds: env.DRAIN_SECONDS,
    rateLimitScale: env.RATE_LIMIT_SCALE,
    settledLimitMs: env.SETTLED_LIMIT_MS,
    fourEyesOver: env.FOUR_EYES_OVER,
    fourEyesRoles: env.FOUR_EYES_ROLES === 'on',
    fourEyesWays: env.FOUR_EYES_WAYS === 'on',
    fourEyesPublishing: env.FOUR_EYES_PUBLISHING === 'on',
    goodwillMost: env.GOODWILL_MOST ?? null,
    liveStreams: env.LIVE_STREAMS,
    serviceWorker: env.SERVICE_WORKER === 'on',
    metricsKey: env.METRICS_KEY ?? null,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { url: env.OTEL_EXPORTER_OTLP_ENDPOINT, service: env.OTEL_SERVICE_NAME }
      : null,
    sandboxUrl: env.SANDBOX_URL ?? null,
    lags: env.PROVIDER_LAGS,
    lateMoneyTerms: env.LATE_MONEY_TERMS,
    leadsMailTo: env.LEADS_MAIL_TO ?? null,
    leadsKeepDays: env.LEADS_KEEP_DAYS,
    securityContact: env.SECURITY_CONTACT ?? null,
    walletPinMode: env.WALLET_PIN_MODE === undefined ? null : env.WALLET_PIN_MODE === '1',
    ...readProviders(settings, need),
    geocoder: geocoderOf(env.GEOCODER, need, env),
    mapTiles: env.MAP_TILES_URL ? { url: env.MAP_TILES_URL, attribution: need('MAP_TILES_ATTRIBUTION') } : null,
  };
  if (problems.length > 0) throw new ConfigError(`The portal cannot start: ${problems.join('; ')}.`);
  return config;
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: Environment) => PUBLIC_URL ?? `http://localhost:${PORT}`;

function consoleOf(settings: Environment, need: (name: keyof Environment) => unknown): Config['console'] {
  const { CONSOLE_ORIGIN, CONSOLE_SIGN_IN, CONSOLE_OPENID_URL } = settings;
  // No console unless a sign-in method is configured.
  const signIn = CONSOLE_SIGN_IN ?? (CONSOLE_OPENID_URL ? 'openid' : null);
  if (CONSOLE_ORIGIN === 'off' || !signIn) return null;
  if (CONSOLE_SIGN_IN === 'openid') need('CONSOLE_OPENID_URL');
  return {
    origin: CONSOLE_ORIGIN ?? new URL(publicUrlOf(settings)).origin,
    signIn,
  };
}

/** The settings of each external system; null for one that is optional and not configured. */
function readProviders(settings: Environment, need: (name: keyof Environment) => unknown): ProviderConfig {
  const isAskedFor = ({ isNecessary, variables }: ProviderSettings) =>
    isNecessary ||
    Object.entries(variables).some(
      ([name, variable]) => isOptional(variable) && settings[name as keyof Environment] !== undefined,
    );
  const read = Object.entries(providers as Record<string, ProviderSettings>).map(([name, provider]) => {
    if (!isAskedFor(provider)) return [name, null];
    for (const variable of provider.needs) need(variable as keyof Environment);
    return [name, provider.read(settings as never)];
  });
  return Object.fromEntries(read) as ProviderConfig;
}

/** The valid settings, and the errors of the others by name. */
function readSettings(given: Record<string, string | undefined>): { env: Environment; unusable: Map<string, string> } {
  const parsed = environment.safeParse(given);
  if (parsed.success) return { env: parsed.data, unusable: new Map() };
  const unusable = new Map(
    parsed.error.issues.map(({ path: [name, ...inside], message }) => [
      String(name),
      inside.length > 0 ? `${String(name)} (${inside.join('.')}) ${message}` : `${String(name)} ${message}`,
    ]),
  );
  const rest = Object.entries(given).filter(([name]) => !unusable.has(name));
  return { env: environment.parse(Object.fromEntries(rest)), unusable };
}

/** A setting may be given as NAME_FILE, as containers and services get secrets. */
export function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read = { ...given };
  for (const name of Object.keys(environment.shape)) {
    const file = given[`${name}_FILE`];
    if (!file) continue;
    if (given[name])
      throw new ConfigError(`The portal cannot start: ${name} and ${name}_FILE are both set; keep one of them.`);
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch {
      throw new ConfigError(`The portal cannot start: the file that ${name}_FILE names cannot be read.`);
    }
  }
  return read;
}

function geocoderOf(
  name: Environment['GEOCODER'],
  need: (name: 'GEOCODER_URL' | 'GEOCODER_KEY') => string,
  env: Environment,
): GeocoderSettings | null {
  if (name === 'own') return null;
  const url = env.GEOCODER_URL ?? publicGeocoders[name] ?? need('GEOCODER_URL');
  return { name, url, key: name === 'google' ? need('GEOCODER_KEY') : (env.GEOCODER_KEY ?? '') };
}

function definedOnly<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** A generated secret is stored in a file, so that open orders survive a restart of a trial. */
function storedSecret(folder: string): string {
  const file = join(folder, 'secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(folder, { recursive: true });
  // Processes that start together need the same secret: the first link wins, and nobody reads a partial file.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  rmSync(own);
  return readFileSync(file, 'utf8').trim();
}
