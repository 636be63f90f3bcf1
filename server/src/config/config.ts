import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

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
  WALLET_URL: httpUrl.optional().describe("the operator's wallet"),
  WALLET_CLIENT_ID: z.string().optional().describe('its client id'),
  WALLET_CLIENT_SECRET: z.string().optional().describe('its client secret'),
  WALLET_CALLBACK_KEYS: list
    .optional()
    .describe('keys its callbacks may be signed with, comma-separated, newest first'),
  WALLET_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
  SMPP_URL: url(/^smpps?$/, 'smpp://smsc.example:2775')
    .optional()
    .describe('SMS centre'),
  SMPP_SYSTEM_ID: z.string().optional().describe('its user'),
  SMPP_PASSWORD: z.string().optional().describe('its password'),
  SMTP_URL: url(/^smtps?$/, 'smtp://mail.example:587')
    .optional()
    .describe('mail server'),
  MAIL_FROM: z.string().optional().describe('sender of mails'),
});

export type Environment = z.infer<typeof environment>;

export interface Config {
  production: boolean;
  operator: string;
  port: number;
  host: string;
  publicUrl: string;
  trustedProxies: string[];
  logLevel: Environment['LOG_LEVEL'];
  database: { url: string; poolSize: number } | { folder: string };
  secret: string;
  rateLimitScale: number;
  metricsKey: string | null;
  sandboxUrl: string | null;
  charging: { url: string; key: string };
  wallet: { url: string; clientId: string; clientSecret: string; callbackKeys: string[]; oaepHash: string };
  sms: { url: string; systemId: string; password: string };
  mail: { url: string; from: string };
}

/** A sentence for whoever starts the portal; never a stack. */
export class ConfigError extends Error {}

const sandboxDefaults = (sandbox: string) => ({
  CHARGING_URL: `${sandbox}/charging`,
  CHARGING_KEY: 'sandbox-charging-key',
  WALLET_URL: `${sandbox}/wallet`,
  WALLET_CLIENT_ID: 'sandbox-wallet-client',
  WALLET_CLIENT_SECRET: 'sandbox-wallet-secret',
  WALLET_CALLBACK_KEYS: ['sandbox-wallet-callback-key'],
  SMPP_SYSTEM_ID: 'sandbox',
  SMPP_PASSWORD: 'sandbox',
  MAIL_FROM: 'portal@example.com',
});

export function readConfig(variables: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
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
  return {
    production,
    operator: env.OPERATOR,
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    database: env.DATABASE_URL
      ? { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL }
      : { folder: resolve(env.DATA_DIR) },
    secret: production ? need('PORTAL_SECRET') : (env.PORTAL_SECRET ?? keptSecret(resolve(env.DATA_DIR))),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    metricsKey: env.METRICS_KEY ?? null,
    sandboxUrl: env.SANDBOX_URL ?? null,
    charging: { url: need('CHARGING_URL'), key: need('CHARGING_KEY') },
    wallet: {
      url: need('WALLET_URL'),
      clientId: need('WALLET_CLIENT_ID'),
      clientSecret: need('WALLET_CLIENT_SECRET'),
      callbackKeys: need('WALLET_CALLBACK_KEYS'),
      oaepHash: env.WALLET_OAEP_HASH,
    },
    sms: { url: need('SMPP_URL'), systemId: need('SMPP_SYSTEM_ID'), password: need('SMPP_PASSWORD') },
    mail: { url: need('SMTP_URL'), from: need('MAIL_FROM') },
  };
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
