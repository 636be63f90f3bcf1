import { z } from 'zod';
import { providerRefusals } from '../connectors/code-table.ts';
import { geocoderNames } from '../connectors/geocoder/settings.ts';
import { defaultPaths } from '../connectors/smartcash/client.ts';
import { smartcashMeanings } from '../connectors/smartcash/messages.ts';
import { derivedKey } from '../db/personal-data.ts';

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

/** Every setting there is; docs/settings.md is made from it. */
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
  SERVICE_WORKER: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off makes every browser forget the pages it kept and go on without a service worker'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1).describe('multiplies every rate limit'),
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
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'must begin with mailto:, https:// or tel:')
    .optional()
    .describe('whom security.txt names to whoever found a hole; without it the help centre'),
  LEADS_KEEP_DAYS: z.coerce.number().int().min(1).default(365).describe('how long leads, which hold names, are kept'),
  QUALIFICATION_URL: httpUrl
    .optional()
    .describe('tells where home broadband can be installed (TMF645); without it the list of towns does'),
  QUALIFICATION_KEY: z.string().optional().describe('its bearer key'),
  SIM_SWAP_URL: httpUrl
    .optional()
    .describe('tells whether a number got another SIM lately (CAMARA SIM Swap, its root); without it nobody is asked'),
  SIM_SWAP_TOKEN_URL: httpUrl.optional().describe('where its access tokens are got (OAuth 2, client credentials)'),
  SIM_SWAP_CLIENT_ID: z.string().optional().describe('its client id'),
  SIM_SWAP_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  SIM_SWAP_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(800)
    .describe('how long its answer is waited for; a payer waits meanwhile, and is asked for one more code after it'),
  EXCHANGE_URL: httpUrl
    .optional()
    .describe('exchange rates (as Open Exchange Rates), for an operator that takes two currencies'),
  EXCHANGE_KEY: z.string().optional().describe('its key'),
  EXCHANGE_MAX_AGE_HOURS: z.coerce
    .number()
    .positive()
    .max(168)
    .default(24)
    .describe('how old a rate may be; an older one is not used'),
  WALLET_URL: httpUrl.optional().describe("the operator's wallet"),
  WALLET_CLIENT_ID: z.string().optional().describe('its client id'),
  WALLET_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  WALLET_CALLBACK_KEYS: list
    .optional()
    .describe('keys its callbacks may be signed with, comma-separated, newest first'),
  WALLET_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
  WALLET_ENQUIRY_STATES_AMOUNT: z
    .enum(['0', '1'])
    .default('0')
    .describe(
      '1 where its enquiry always repeats the amount: one without it then proves nothing; else our own request’s counts',
    ),
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
    .describe('SMS centre; in production smpps:// where it is another machine'),
  SMPP_SYSTEM_ID: z.string().optional().describe('its user'),
  SMPP_PASSWORD: z.string().optional().describe('its password'),
  SMTP_URL: url(/^smtps?$/, 'smtp://mail.example:587')
    .optional()
    .describe('mail server; TLS is asked for where it is another machine'),
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
