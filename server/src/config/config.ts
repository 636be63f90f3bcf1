import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { providerRefusals } from '../connectors/code-table.ts';
import { type GeocoderSettings, geocoderNames, publicGeocoders } from '../connectors/geocoder/settings.ts';
import { defaultHeaders, defaultPaths, type SmartcashPaths } from '../connectors/smartcash/client.ts';
import { defaultCodes, type SmartcashCodes, smartcashMeanings } from '../connectors/smartcash/messages.ts';

const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be between 0 and 65535')
  .max(65_535, 'must be between 0 and 65535');
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });
const httpUrl = url(/^https?$/, 'https://charging.example').transform((value) => value.replace(/\/$/, ''));
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const filledList = list.refine((parts) => parts.length > 0, 'must name at least one');
const origins = filledList.refine(
  (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
  'must be origins such as https://checkout.example, comma-separated',
);
const timeZone = z.string().refine(isTimeZone, 'must be a time zone such as Africa/Nairobi');
const jsonObject = <Value extends z.ZodType>(value: Value, example: string) =>
  z
    .string()
    .transform(jsonOrNull)
    .pipe(z.record(z.string(), value, { error: `must be JSON such as ${example}` }));

/** Every setting there is; docs/operations.md prints this table. */
export const environment = z.object({
  NODE_ENV: z.string().default('development').describe('"production" asks for real providers and PostgreSQL'),
  OPERATOR: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a pack name such as mg')
    .default('mg')
    .describe('which operator pack to run'),
  PORT: port.default(3000).describe('where the portal listens'),
  HOST: z.string().min(1).default('localhost').describe('address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: httpUrl.optional().describe('the address customers see; default http://localhost:PORT'),
  TRUSTED_PROXIES: list.default([]).describe('addresses of proxies whose X-Forwarded-For is believed, comma-separated'),
  PRIVATE_HOSTS: list
    .default([])
    .describe('names of providers inside the operator’s own network, comma-separated; other names may not lead there'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').describe('how much to log'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://portal@localhost/portal')
    .optional()
    .describe('PostgreSQL; without it the embedded database is used'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10).describe('connections to PostgreSQL'),
  DATA_DIR: z.string().min(1).default('.data').describe('folder of the embedded database and its secret'),
  PORTAL_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('key for order tokens and hashes; required in production'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1).describe('multiplies every rate limit'),
  METRICS_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('bearer key for /metrics from other machines'),
  SANDBOX: z.enum(['0', '1']).optional().describe('1 asks for the sandbox by name in production'),
  SANDBOX_URL: httpUrl.optional().describe('the sandbox, when it runs'),
  CHARGING_URL: httpUrl.optional().describe('charging system (TMF654, TMF639)'),
  CHARGING_KEY: z.string().optional().describe('its bearer key'),
  BILLING_URL: httpUrl.optional().describe('billing system (TMF666, TMF676, TMF678)'),
  BILLING_KEY: z.string().optional().describe('its bearer key'),
  CRM_URL: httpUrl
    .optional()
    .describe('CRM for leads and their orders (TMF699, TMF622); without it they go by mail or are only kept'),
  CRM_KEY_ID: z.string().optional().describe('the name of its signing key'),
  CRM_SECRET: z.string().optional().describe('the key requests to it are signed with'),
  LEADS_MAIL_TO: z
    .email('must be an email address')
    .optional()
    .describe('who gets leads by mail where there is no CRM'),
  LEADS_KEEP_DAYS: z.coerce.number().int().min(1).default(365).describe('how long leads, which hold names, are kept'),
  WALLET_URL: httpUrl.optional().describe("the operator's wallet"),
  WALLET_CLIENT_ID: z.string().optional().describe('its client id'),
  WALLET_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  WALLET_CALLBACK_KEYS: list
    .optional()
    .describe('keys its callbacks may be signed with, comma-separated, newest first'),
  WALLET_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
  WALLET_ENQUIRY_STATES_AMOUNT: z
    .enum(['0', '1'])
    .default('1')
    .describe('0 where its enquiry does not repeat the amount, which is then taken from our reference'),
  WALLET_PIN_MODE: z
    .enum(['0', '1'])
    .optional()
    .describe('1 asks for the PIN here, 0 by push on the phone; default as the operator pack says'),
  WALLET_CODES: jsonObject(z.enum(providerRefusals), '{"DP00800001010":"walletLocked"}')
    .optional()
    .describe('what its own refusal codes mean, as JSON; they go before the listed ones'),
  MPESA_URL: httpUrl.optional().describe('M-Pesa (Daraja)'),
  MPESA_CONSUMER_KEY: z.string().optional().describe('its consumer key'),
  MPESA_CONSUMER_SECRET: z.string().optional().describe('its consumer secret'),
  MPESA_SHORTCODE: z
    .string()
    .regex(/^\d{5,7}$/, 'must have 5 to 7 digits')
    .optional()
    .describe('the short code that is paid'),
  MPESA_PASSKEY: z.string().optional().describe('the pass key of the short code'),
  MPESA_INITIATOR: z.string().optional().describe('who may reverse payments'),
  MPESA_SECURITY_CREDENTIAL: z.string().optional().describe("that user's password, locked by its certificate"),
  MPESA_TIME_ZONE: timeZone.default('Africa/Nairobi').describe('the clock it runs on'),
  SMARTCASH_URL: httpUrl.optional().describe('SmartCash'),
  SMARTCASH_CLIENT_ID: z.string().optional().describe('its client id'),
  SMARTCASH_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  SMARTCASH_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
  SMARTCASH_PATHS: jsonObject(z.string().startsWith('/', 'must begin with /'), '{"token":"/oauth/token"}')
    .refine(
      (paths) => Object.keys(paths).every((name) => name in defaultPaths),
      `may name ${Object.keys(defaultPaths).join(', ')}`,
    )
    .optional()
    .describe('paths that differ from those of the sandbox, as JSON'),
  SMARTCASH_HEADERS: jsonObject(z.string(), '{"authorization":"Bearer {token}"}')
    .optional()
    .describe('its headers by name, as JSON; {token}, {country} and {currency} are filled in'),
  SMARTCASH_CODES: jsonObject(z.enum(smartcashMeanings), '{"56D005":"wrongPin"}')
    .optional()
    .describe('what each of its codes means, as JSON; a code that is not listed proves nothing'),
  PAYSTACK_URL: httpUrl.optional().describe('Paystack'),
  PAYSTACK_SECRET_KEYS: filledList
    .optional()
    .describe('its secret keys, comma-separated, newest first; webhooks may be signed with any of them'),
  PAYSTACK_PUBLIC_KEY: z.string().optional().describe('its public key, for the popup'),
  PAYSTACK_SCRIPT_URL: httpUrl.optional().describe("the popup's script"),
  PAYSTACK_MODE: z.enum(['test', 'live']).optional().describe('payments of the other mode are no money'),
  CARD_URL: httpUrl.optional().describe('hosted card checkout (Flutterwave)'),
  CARD_SECRET_KEY: z.string().optional().describe('its secret key'),
  CARD_WEBHOOK_SECRETS: filledList.optional().describe('secrets its webhooks may carry, comma-separated'),
  CARD_CHECKOUT_ORIGINS: origins.optional().describe('where it may send customers, comma-separated'),
  ORANGE_URL: httpUrl.optional().describe('Orange Money WebPay'),
  ORANGE_ENVIRONMENT: z
    .string()
    .regex(/^(dev|[a-z]{2})$/, 'must be dev or a country such as mg')
    .optional()
    .describe('its environment: dev, or the country'),
  ORANGE_CLIENT_ID: z.string().optional().describe('its client id'),
  ORANGE_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  ORANGE_MERCHANT_KEY: z.string().optional().describe('its merchant key'),
  ORANGE_CHECKOUT_ORIGINS: origins.optional().describe('where it may send customers, comma-separated'),
  SMPP_URL: url(/^smpps?$/, 'smpp://smsc.example:2775')
    .optional()
    .describe('SMS centre'),
  SMPP_SYSTEM_ID: z.string().optional().describe('its user'),
  SMPP_PASSWORD: z.string().optional().describe('its password'),
  SMTP_URL: url(/^smtps?$/, 'smtp://mail.example:587')
    .optional()
    .describe('mail server'),
  MAIL_FROM: z.string().optional().describe('sender of mails'),
  GEOCODER: z
    .enum(['own', ...geocoderNames])
    .default('own')
    .describe('who finds addresses: our own list of places, or a service that is asked before it'),
  GEOCODER_URL: httpUrl.optional().describe('the service, where it is not the public one; nominatim needs one'),
  GEOCODER_KEY: z.string().optional().describe('its key; google needs one'),
  MAP_TILES_URL: url(/^https?$/, 'https://tiles.example/{z}/{x}/{y}.png')
    .optional()
    .describe('a tile server that takes the place of our own base map'),
  MAP_TILES_ATTRIBUTION: z.string().optional().describe('whom its map is by; shown on every map'),
});

export type Environment = z.infer<typeof environment>;

export interface Config {
  production: boolean;
  operator: string;
  port: number;
  host: string;
  publicUrl: string;
  trustedProxies: string[];
  privateHosts: string[];
  logLevel: Environment['LOG_LEVEL'];
  database: { url: string; poolSize: number } | { folder: string };
  secret: string;
  rateLimitScale: number;
  metricsKey: string | null;
  sandboxUrl: string | null;
  charging: { url: string; key: string };
  billing: { url: string; key: string };
  /** Null where leads are exported by hand. */
  crm: { url: string; keyId: string; secret: string } | null;
  leadsMailTo: string | null;
  leadsKeepDays: number;
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

const sandboxDefaults = (sandbox: string) => ({
  CHARGING_URL: `${sandbox}/charging`,
  CHARGING_KEY: 'sandbox-charging-key',
  BILLING_URL: `${sandbox}/billing`,
  BILLING_KEY: 'sandbox-billing-key',
  CRM_URL: `${sandbox}/crm`,
  CRM_KEY_ID: 'sandbox-crm-key',
  CRM_SECRET: 'sandbox-crm-secret',
  WALLET_URL: `${sandbox}/wallet`,
  WALLET_CLIENT_ID: 'sandbox-wallet-client',
  WALLET_CLIENT_SECRET: 'sandbox-wallet-secret',
  WALLET_CALLBACK_KEYS: ['sandbox-wallet-callback-key'],
  MPESA_URL: `${sandbox}/mpesa`,
  MPESA_CONSUMER_KEY: 'sandbox-mpesa-key',
  MPESA_CONSUMER_SECRET: 'sandbox-mpesa-secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'sandbox-mpesa-passkey',
  MPESA_INITIATOR: 'sandbox-initiator',
  MPESA_SECURITY_CREDENTIAL: 'sandbox-mpesa-credential',
  SMARTCASH_URL: `${sandbox}/smartcash`,
  SMARTCASH_CLIENT_ID: 'sandbox-smartcash-client',
  SMARTCASH_CLIENT_SECRET: 'sandbox-smartcash-secret',
  PAYSTACK_URL: `${sandbox}/paystack`,
  PAYSTACK_SECRET_KEYS: ['sk_test_sandbox'],
  PAYSTACK_PUBLIC_KEY: 'pk_test_sandbox',
  PAYSTACK_SCRIPT_URL: `${sandbox}/paystack/inline.js`,
  PAYSTACK_MODE: 'test',
  CARD_URL: `${sandbox}/card`,
  CARD_SECRET_KEY: 'FLWSECK_TEST-sandbox',
  CARD_WEBHOOK_SECRETS: ['sandbox-card-webhook-secret'],
  CARD_CHECKOUT_ORIGINS: [new URL(sandbox).origin],
  ORANGE_URL: `${sandbox}/orange`,
  ORANGE_ENVIRONMENT: 'dev',
  ORANGE_CLIENT_ID: 'sandbox-orange-client',
  ORANGE_CLIENT_SECRET: 'sandbox-orange-secret',
  ORANGE_MERCHANT_KEY: 'sandbox-orange-merchant',
  ORANGE_CHECKOUT_ORIGINS: [new URL(sandbox).origin],
  SMPP_SYSTEM_ID: 'sandbox',
  SMPP_PASSWORD: 'sandbox',
  MAIL_FROM: 'portal@example.com',
});

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
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: [name, ...inside], message }) =>
      inside.length > 0 ? `${String(name)} (${inside.join('.')}) ${message}` : `${String(name)} ${message}`,
    );
    throw new ConfigError(`The portal cannot start: ${problems.join('; ')}.`);
  }
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  if (production && !env.DATABASE_URL)
    throw new ConfigError(
      'The portal cannot start in production on the embedded database, which can lose payments: set DATABASE_URL to a PostgreSQL.',
    );
  if (production && env.SANDBOX_URL && env.SANDBOX !== '1')
    throw new ConfigError('The portal does not use the sandbox in production unless SANDBOX=1 asks for it by name.');

  const settings = { ...(env.SANDBOX_URL ? sandboxDefaults(env.SANDBOX_URL) : {}), ...definedOnly(env) } as Environment;
  function need<K extends keyof Environment>(name: K): NonNullable<Environment[K]> {
    const value = settings[name];
    if (value === undefined || value === null)
      throw new ConfigError(`The portal cannot start: ${name} is not set (${environment.shape[name].description}).`);
    return value;
  }
  const isGiven = (...names: (keyof Environment)[]) => names.some((name) => settings[name] !== undefined);
  return {
    production,
    operator: env.OPERATOR,
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    trustedProxies: env.TRUSTED_PROXIES,
    privateHosts: env.PRIVATE_HOSTS,
    logLevel: env.LOG_LEVEL,
    database: env.DATABASE_URL
      ? { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL }
      : { folder: resolve(env.DATA_DIR) },
    secret: production ? need('PORTAL_SECRET') : (env.PORTAL_SECRET ?? keptSecret(resolve(env.DATA_DIR))),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    metricsKey: env.METRICS_KEY ?? null,
    sandboxUrl: env.SANDBOX_URL ?? null,
    charging: { url: need('CHARGING_URL'), key: need('CHARGING_KEY') },
    billing: { url: need('BILLING_URL'), key: need('BILLING_KEY') },
    crm: isGiven('CRM_URL', 'CRM_KEY_ID', 'CRM_SECRET')
      ? { url: need('CRM_URL'), keyId: need('CRM_KEY_ID'), secret: need('CRM_SECRET') }
      : null,
    leadsMailTo: env.LEADS_MAIL_TO ?? null,
    leadsKeepDays: env.LEADS_KEEP_DAYS,
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

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function definedOnly<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Orders begun before a restart stay valid after it, without anybody having to invent a secret for a trial. */
function keptSecret(folder: string): string {
  const file = join(folder, 'secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(folder, { recursive: true });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
