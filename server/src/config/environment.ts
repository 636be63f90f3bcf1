import { z } from 'zod';
import { geocoderNames } from '../connectors/geocoder/settings.ts';
import { derivedKey } from '../db/personal-data.ts';
import { providers } from './providers.ts';
import { httpUrl, jsonObject, list, origin, url } from './value-formats.ts';

const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be between 0 and 65535')
  .max(65_535, 'must be between 0 and 65535');
const dataKey = /^[a-z0-9-]{1,20}:[^\s,]{32,}$/;
const nameOfKey = (key: string) => key.split(':')[0] ?? '';

const secondsBySystem = (example: string) =>
  jsonObject(
    z
      .number()
      .int()
      .min(0)
      .max(90 * 86_400),
    example,
  );

/** All settings; docs/settings.md is generated from it. */
export const environment = z.object({
  NODE_ENV: z
    .string()
    .default('development')
    .describe('"production" asks for real providers, PostgreSQL, and TLS to all that is not on this machine'),
  OPERATOR: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a pack name such as mg')
    .default('mg')
    .describe('which operator pack to run'),
  OPERATORS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('folder of operator packs that are kept outside this repository'),
  PORT: port.default(3000).describe('where the portal listens'),
  HOST: z.string().min(1).default('localhost').describe('address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: httpUrl
    .optional()
    .describe('the address customers see; default http://localhost:PORT, in production https:// is required'),
  CONSOLE_ORIGIN: z
    .union([z.literal('off'), origin])
    .optional()
    .describe(
      'where the console answers, such as https://console.example, and nothing else does; default PUBLIC_URL; off for none',
    ),
  CONSOLE_SIGN_IN: z
    .enum(['openid', 'passkeys'])
    .optional()
    .describe(
      'how the operator’s people sign in: passkeys where there is no OpenID provider; default openid where CONSOLE_OPENID_URL is set, else there is no console',
    ),
  TRUSTED_PROXIES: list
    .default([])
    .describe('addresses of proxies whose X-Forwarded-For is believed, comma-separated; required in production'),
  PRIVATE_HOSTS: list
    .default([])
    .describe('names of providers inside the operator’s own network, comma-separated; other names may not lead there'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').describe('how much to log'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://portal@localhost/portal')
    .optional()
    .describe(
      'PostgreSQL; without it the embedded database is used. In production with sslmode=verify-full where it is another machine',
    ),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10).describe('connections to PostgreSQL'),
  DATABASE_PREPARED: z
    .enum(['0', '1'])
    .default('1')
    .describe('0 where a pooler in between does not keep prepared statements (pgbouncer before 1.21)'),
  DATA_DIR: z.string().min(1).default('.data').describe('folder of the embedded database and its secret'),
  PORTAL_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('key for order tokens and hashes; required in production, where it must not be guessable'),
  PERSONAL_DATA_KEYS: list
    .refine(
      (keys) => keys.length > 0 && keys.every((key) => key === derivedKey || dataKey.test(key)),
      `must be names with a key of at least 32 characters each, such as 2026-a:…, comma-separated, or ${derivedKey}`,
    )
    .refine((keys) => new Set(keys.map(nameOfKey)).size === keys.length, 'must not name a key twice')
    .transform((keys) => keys.map((key) => ({ id: nameOfKey(key), secret: key.slice(nameOfKey(key).length + 1) })))
    .optional()
    .describe(
      'keys that numbers, emails and other personal data are encrypted with in the database, comma-separated: the first writes, all read. Each is a name, a colon and what openssl rand -base64 48 gives; portal-secret stands for one derived from PORTAL_SECRET, which is all there is where nothing is set; required in production',
    ),
  PROVIDER_LAGS: secondsBySystem('{"charging":600}')
    .default({})
    .describe(
      'seconds by system (charging, billing, crm, wallet, airtime, mpesa, smartcash, card, orange, paystack) that what it took in may show later in what it tells; 600 where none is given',
    ),
  LATE_MONEY_TERMS: secondsBySystem('{"mpesa":259200}')
    .default({})
    .describe(
      'seconds by gateway in which it may still take the money of a payment that failed; 90000 (25 hours) where none is given',
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(0)
    .describe('how long to go on serving after a stop signal, while /readyz already sends the balancer elsewhere'),
  LIVE_STREAMS: z.coerce
    .number()
    .int()
    .min(0)
    .max(50_000)
    .default(8_000)
    .describe(
      'how many waiting pages one process tells of changes at once; those beyond ask by themselves, only later. 0 tells none',
    ),
  SERVICE_WORKER: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off makes every browser forget the pages it kept and go on without a service worker'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1).describe('multiplies every rate limit'),
  SETTLED_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(900)
    .describe(
      'how long is waited to hear whether an invoice or a request was paid by somebody else, right before its payer is asked',
    ),
  FOUR_EYES_OVER: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      'in minor units of the operator’s currency: up to so much one person of the console gives back or credits alone; 0 always takes two',
    ),
  FOUR_EYES_WAYS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off lets one person of the console switch a way to pay off, or begin maintenance, alone'),
  FOUR_EYES_PUBLISHING: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off lets one publisher of the console show new content alone'),
  FOUR_EYES_ROLES: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'off lets one admin invite people and change roles alone where people sign in by passkeys; a single admin always does',
    ),
  GOODWILL_MOST: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'in minor units of the operator’s currency: the largest goodwill credit; never more than the purchase it is for cost, which is the limit where nothing is set. 0 allows none',
    ),
  METRICS_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('bearer key for /metrics, which is closed without one'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('collector for traces (OpenTelemetry over HTTP); without it none are made'),
  OTEL_SERVICE_NAME: z.string().min(1).default('portal').describe('the name of this portal in traces'),
  SANDBOX: z.enum(['0', '1']).optional().describe('1 asks for the sandbox by name in production'),
  SANDBOX_URL: httpUrl.optional().describe('the sandbox, when it runs'),
  LEADS_MAIL_TO: z
    .email('must be an email address')
    .optional()
    .describe('who gets leads by mail where there is no CRM'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'must begin with mailto:, https:// or tel:')
    .optional()
    .describe('whom security.txt names to whoever found a hole; without it the help centre'),
  LEADS_KEEP_DAYS: z.coerce.number().int().min(1).default(365).describe('how long leads, which hold names, are kept'),
  WALLET_PIN_MODE: z
    .enum(['0', '1'])
    .optional()
    .describe('1 asks for the PIN here, 0 by push on the phone; default as the operator pack says'),
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
  ...providers.charging.variables,
  ...providers.billing.variables,
  ...providers.crm.variables,
  ...providers.qualification.variables,
  ...providers.simSwap.variables,
  ...providers.exchange.variables,
  ...providers.wallet.variables,
  ...providers.mpesa.variables,
  ...providers.smartcash.variables,
  ...providers.paystack.variables,
  ...providers.cardCheckout.variables,
  ...providers.orangeMoney.variables,
  ...providers.sms.variables,
  ...providers.mail.variables,
  ...providers.openid.variables,
});

export type Environment = z.infer<typeof environment>;
