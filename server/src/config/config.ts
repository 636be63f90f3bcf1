import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { type GeocoderSettings, publicGeocoders } from '../connectors/geocoder/settings.ts';
import { defaultHeaders, defaultPaths, type SmartcashPaths } from '../connectors/smartcash/client.ts';
import { defaultCodes, type SmartcashCodes } from '../connectors/smartcash/messages.ts';
import { type DataKey, derivedKey } from '../db/personal-data.ts';
import { type Environment, environment } from './environment.ts';
import { productionProblems } from './production.ts';
import { sandboxDefaults } from './sandbox-defaults.ts';

export interface Config {
  production: boolean;
  operator: string;
  /** Null where the pack is one of the repository's own. */
  operatorsDir: string | null;
  port: number;
  host: string;
  publicUrl: string;
  trustedProxies: string[];
  privateHosts: string[];
  logLevel: Environment['LOG_LEVEL'];
  database: { url: string; poolSize: number; prepares: boolean } | { folder: string };
  secret: string;
  /** The first one writes. */
  personalDataKeys: DataKey[];
  drainSeconds: number;
  rateLimitScale: number;
  /** False takes back what browsers were told to keep. */
  serviceWorker: boolean;
  metricsKey: string | null;
  tracing: { url: string; service: string } | null;
  sandboxUrl: string | null;
  /** By the name of a system outside, in seconds. */
  lags: Record<string, number>;
  lateMoneyTerms: Record<string, number>;
  charging: { url: string; key: string };
  billing: { url: string; key: string };
  /** Null where leads are exported by hand. */
  crm: { url: string; keyId: string; secret: string } | null;
  /** Null where the list of towns tells where home broadband can be installed. */
  qualification: { url: string; key: string } | null;
  /** Null where nobody tells whether a SIM was swapped. */
  simSwap: { url: string; tokenUrl: string; clientId: string; clientSecret: string; limitMs: number } | null;
  leadsMailTo: string | null;
  leadsKeepDays: number;
  securityContact: string | null;
  /** Needed where the operator takes two currencies. */
  exchange: { url: string; key: string; maxAgeHours: number } | null;
  /** Null leaves it to the pack. */
  walletPinMode: boolean | null;
  wallet: {
    url: string;
    clientId: string;
    clientSecret: string;
    callbackKeys: string[];
    oaepHash: string;
    statesAmount: boolean;
    codes: Record<string, PaymentReason>;
  };
  /** Null where the operator has no contract with it. */
  mpesa: {
    url: string;
    consumerKey: string;
    consumerSecret: string;
    shortCode: string;
    passkey: string;
    initiator: string;
    securityCredential: string;
    timeZone: string;
  } | null;
  smartcash: {
    url: string;
    clientId: string;
    clientSecret: string;
    oaepHash: string;
    paths: SmartcashPaths;
    headers: Readonly<Record<string, string>>;
    codes: SmartcashCodes;
  } | null;
  /** Gateways that an operator has no contract with are null. */
  paystack: {
    url: string;
    secretKeys: string[];
    publicKey: string;
    scriptUrl: string;
    mode: 'test' | 'live';
  } | null;
  cardCheckout: { url: string; secretKey: string; webhookSecrets: string[]; checkoutOrigins: string[] } | null;
  orangeMoney: {
    url: string;
    environment: string;
    clientId: string;
    clientSecret: string;
    merchantKey: string;
    checkoutOrigins: string[];
  } | null;
  sms: { url: string; systemId: string; password: string };
  mail: { url: string; from: string };
  geocoder: GeocoderSettings | null;
  mapTiles: { url: string; attribution: string } | null;
}

/** A sentence for whoever starts the portal; never a stack. */
export class ConfigError extends Error {}

/** One of them asks for the provider, and then all of the necessary ones are asked for. */
const mpesaSettings = [
  'MPESA_URL',
  'MPESA_CONSUMER_KEY',
  'MPESA_CONSUMER_SECRET',
  'MPESA_SHORTCODE',
  'MPESA_PASSKEY',
  'MPESA_INITIATOR',
  'MPESA_SECURITY_CREDENTIAL',
] as const;
const smartcashSettings = [
  'SMARTCASH_URL',
  'SMARTCASH_CLIENT_ID',
  'SMARTCASH_CLIENT_SECRET',
  'SMARTCASH_PATHS',
  'SMARTCASH_HEADERS',
  'SMARTCASH_CODES',
] as const;

const paystackSettings = [
  'PAYSTACK_URL',
  'PAYSTACK_SECRET_KEYS',
  'PAYSTACK_PUBLIC_KEY',
  'PAYSTACK_SCRIPT_URL',
  'PAYSTACK_MODE',
] as const;
const cardSettings = ['CARD_URL', 'CARD_SECRET_KEY', 'CARD_WEBHOOK_SECRETS', 'CARD_CHECKOUT_ORIGINS'] as const;
const orangeSettings = [
  'ORANGE_URL',
  'ORANGE_ENVIRONMENT',
  'ORANGE_CLIENT_ID',
  'ORANGE_CLIENT_SECRET',
  'ORANGE_MERCHANT_KEY',
  'ORANGE_CHECKOUT_ORIGINS',
] as const;

export function readConfig(variables: Record<string, string | undefined>): Config {
  const given = withFiles(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== '')),
  );
  const { env, unusable } = readSettings(given);
  const production = env.NODE_ENV === 'production';
  // All of them are named together: whoever sets a portal up should not have to start it twenty times.
  const isTold = (problem: string) => [...unusable.keys()].some((name) => problem.startsWith(`${name} `));
  const unsafe = production ? productionProblems(env, variables).filter((problem) => !isTold(problem)) : [];
  const problems = [...unusable.values(), ...unsafe];

  const settings = { ...(env.SANDBOX_URL ? sandboxDefaults(env.SANDBOX_URL) : {}), ...definedOnly(env) } as Environment;
  function need<K extends keyof Environment>(name: K): NonNullable<Environment[K]> {
    const value = settings[name];
    if ((value === undefined || value === null) && !unusable.has(name))
      problems.push(`${name} is not set (${environment.shape[name].description})`);
    return value as NonNullable<Environment[K]>;
  }
  const isGiven = (...names: (keyof Environment)[]) => names.some((name) => settings[name] !== undefined);
  const secret = production ? need('PORTAL_SECRET') : (env.PORTAL_SECRET ?? keptSecret(resolve(env.DATA_DIR)));
  const dataKeys = production
    ? need('PERSONAL_DATA_KEYS')
    : (env.PERSONAL_DATA_KEYS ?? [{ id: derivedKey, secret: '' }]);
  const config: Config = {
    production,
    operator: env.OPERATOR,
    operatorsDir: env.OPERATORS_DIR ?? null,
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
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
    serviceWorker: env.SERVICE_WORKER === 'on',
    metricsKey: env.METRICS_KEY ?? null,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { url: env.OTEL_EXPORTER_OTLP_ENDPOINT, service: env.OTEL_SERVICE_NAME }
      : null,
    sandboxUrl: env.SANDBOX_URL ?? null,
    lags: env.PROVIDER_LAGS,
    lateMoneyTerms: env.LATE_MONEY_TERMS,
    charging: { url: need('CHARGING_URL'), key: need('CHARGING_KEY') },
    billing: { url: need('BILLING_URL'), key: need('BILLING_KEY') },
    crm: isGiven('CRM_URL', 'CRM_KEY_ID', 'CRM_SECRET')
      ? { url: need('CRM_URL'), keyId: need('CRM_KEY_ID'), secret: need('CRM_SECRET') }
      : null,
    qualification: isGiven('QUALIFICATION_URL', 'QUALIFICATION_KEY')
      ? { url: need('QUALIFICATION_URL'), key: need('QUALIFICATION_KEY') }
      : null,
    simSwap: isGiven('SIM_SWAP_URL', 'SIM_SWAP_TOKEN_URL', 'SIM_SWAP_CLIENT_ID', 'SIM_SWAP_CLIENT_SECRET')
      ? {
          url: need('SIM_SWAP_URL'),
          tokenUrl: need('SIM_SWAP_TOKEN_URL'),
          clientId: need('SIM_SWAP_CLIENT_ID'),
          clientSecret: need('SIM_SWAP_CLIENT_SECRET'),
          limitMs: env.SIM_SWAP_LIMIT_MS,
        }
      : null,
    exchange: isGiven('EXCHANGE_URL', 'EXCHANGE_KEY')
      ? { url: need('EXCHANGE_URL'), key: need('EXCHANGE_KEY'), maxAgeHours: env.EXCHANGE_MAX_AGE_HOURS }
      : null,
    leadsMailTo: env.LEADS_MAIL_TO ?? null,
    leadsKeepDays: env.LEADS_KEEP_DAYS,
    securityContact: env.SECURITY_CONTACT ?? null,
    walletPinMode: env.WALLET_PIN_MODE === undefined ? null : env.WALLET_PIN_MODE === '1',
    wallet: {
      url: need('WALLET_URL'),
      clientId: need('WALLET_CLIENT_ID'),
      clientSecret: need('WALLET_CLIENT_SECRET'),
      callbackKeys: need('WALLET_CALLBACK_KEYS'),
      oaepHash: env.WALLET_OAEP_HASH,
      statesAmount: env.WALLET_ENQUIRY_STATES_AMOUNT === '1',
      codes: env.WALLET_CODES ?? {},
    },
    mpesa: isGiven(...mpesaSettings)
      ? {
          url: need('MPESA_URL'),
          consumerKey: need('MPESA_CONSUMER_KEY'),
          consumerSecret: need('MPESA_CONSUMER_SECRET'),
          shortCode: need('MPESA_SHORTCODE'),
          passkey: need('MPESA_PASSKEY'),
          initiator: need('MPESA_INITIATOR'),
          securityCredential: need('MPESA_SECURITY_CREDENTIAL'),
          timeZone: env.MPESA_TIME_ZONE,
        }
      : null,
    smartcash: isGiven(...smartcashSettings)
      ? {
          url: need('SMARTCASH_URL'),
          clientId: need('SMARTCASH_CLIENT_ID'),
          clientSecret: need('SMARTCASH_CLIENT_SECRET'),
          oaepHash: env.SMARTCASH_OAEP_HASH,
          paths: { ...defaultPaths, ...env.SMARTCASH_PATHS },
          headers: env.SMARTCASH_HEADERS ?? defaultHeaders,
          codes: env.SMARTCASH_CODES ?? defaultCodes,
        }
      : null,
    paystack: isGiven(...paystackSettings)
      ? {
          url: need('PAYSTACK_URL'),
          secretKeys: need('PAYSTACK_SECRET_KEYS'),
          publicKey: need('PAYSTACK_PUBLIC_KEY'),
          scriptUrl: need('PAYSTACK_SCRIPT_URL'),
          mode: need('PAYSTACK_MODE'),
        }
      : null,
    cardCheckout: isGiven(...cardSettings)
      ? {
          url: need('CARD_URL'),
          secretKey: need('CARD_SECRET_KEY'),
          webhookSecrets: need('CARD_WEBHOOK_SECRETS'),
          checkoutOrigins: need('CARD_CHECKOUT_ORIGINS'),
        }
      : null,
    orangeMoney: isGiven(...orangeSettings)
      ? {
          url: need('ORANGE_URL'),
          environment: need('ORANGE_ENVIRONMENT'),
          clientId: need('ORANGE_CLIENT_ID'),
          clientSecret: need('ORANGE_CLIENT_SECRET'),
          merchantKey: need('ORANGE_MERCHANT_KEY'),
          checkoutOrigins: need('ORANGE_CHECKOUT_ORIGINS'),
        }
      : null,
    sms: { url: need('SMPP_URL'), systemId: need('SMPP_SYSTEM_ID'), password: need('SMPP_PASSWORD') },
    mail: { url: need('SMTP_URL'), from: need('MAIL_FROM') },
    geocoder: geocoderOf(env.GEOCODER, need, env),
    mapTiles: env.MAP_TILES_URL ? { url: env.MAP_TILES_URL, attribution: need('MAP_TILES_ATTRIBUTION') } : null,
  };
  if (problems.length > 0) throw new ConfigError(`The portal cannot start: ${problems.join('; ')}.`);
  return config;
}

/** What can be read, and by the name of its setting what is wrong with the rest. */
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

/** A setting may be given as NAME_FILE instead, as secrets are handed to containers and services. */
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

/** Orders begun before a restart stay valid after it, without anybody having to invent a secret for a trial. */
function keptSecret(folder: string): string {
  const file = join(folder, 'secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(folder, { recursive: true });
  // Processes that start together have to use the same one: the first link stands, and nobody reads half a secret.
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
