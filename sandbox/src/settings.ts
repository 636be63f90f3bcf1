export interface SandboxSettings {
  port: number;
  smppPort: number;
  smtpPort: number;
  callbackBase: string | undefined;
  approveAfterMs: number;
  promptExpiryMs: number;
  /** Hash of the RSA-OAEP padding that encrypts the wallet's x-key and PIN. */
  oaepHash: string;
  walletTokenSeconds: number;
  callbackLimitMs: number;
  callbackRetryMs: number;
  receiptAfterMs: number;
  /** How long a provider's page accepts payment when the merchant sets no expiry. */
  checkoutExpiryMs: number;
  /** How long a card gateway takes to complete a refund. */
  cardRefundMs: number;
  /** An airtime reservation that is not committed within this time is released. */
  reservationLifeMs: number;
  /** Of the emulated operator; every provider uses it. */
  country: string;
  countryCode: string;
  /** The brand name of its wallet. */
  brand: string;
  currency: string;
  /** Decimal digits of that currency; the sandbox stores amounts in its smallest unit. */
  currencyDigits: number;
  /** A second currency that is accepted; it has no minor unit. */
  secondCurrency: string | undefined;
  /** The prefix before a line's last seven digits on the wire, including the leading 0. */
  nationalPrefix: string;
}

export type SandboxOptions = Partial<SandboxSettings>;

/** Why the sandbox cannot start, in one sentence for the user. */
export class SandboxRefusal extends Error {}

const defaults: SandboxSettings = {
  port: 0,
  smppPort: 0,
  smtpPort: 0,
  callbackBase: undefined,
  approveAfterMs: 3_000,
  promptExpiryMs: 120_000,
  oaepHash: 'sha1',
  walletTokenSeconds: 180,
  callbackLimitMs: 5_000,
  callbackRetryMs: 1_000,
  receiptAfterMs: 50,
  checkoutExpiryMs: 600_000,
  cardRefundMs: 2_000,
  reservationLifeMs: 30 * 60_000,
  country: 'MG',
  countryCode: '261',
  brand: 'Fanilo',
  currency: 'MGA',
  currencyDigits: 0,
  secondCurrency: undefined,
  nationalPrefix: '039',
};

export function completeSettings(options: SandboxOptions): SandboxSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...defaults, ...given };
}

export function settingsFromEnvironment(env: NodeJS.ProcessEnv): SandboxOptions {
  return {
    port: portFrom(env, 'SANDBOX_PORT'),
    smppPort: portFrom(env, 'SANDBOX_SMPP_PORT'),
    smtpPort: portFrom(env, 'SANDBOX_SMTP_PORT'),
    callbackBase: env.SANDBOX_CALLBACK_BASE || undefined,
    approveAfterMs: numberFrom(env, 'SANDBOX_APPROVE_AFTER_MS', 86_400_000),
    promptExpiryMs: numberFrom(env, 'SANDBOX_PROMPT_EXPIRY_MS', 86_400_000),
    country: textFrom(env, 'SANDBOX_COUNTRY', /^[A-Z]{2}$/, 'two capital letters'),
    currency: textFrom(env, 'SANDBOX_CURRENCY', /^[A-Z]{3}$/, 'three capital letters'),
    countryCode: textFrom(env, 'SANDBOX_COUNTRY_CODE', /^[1-9]\d{0,2}$/, 'one to three digits'),
    brand: textFrom(env, 'SANDBOX_BRAND', /^.{1,40}$/, 'a name'),
    currencyDigits: numberFrom(env, 'SANDBOX_CURRENCY_DIGITS', 4),
    secondCurrency: textFrom(env, 'SANDBOX_SECOND_CURRENCY', /^[A-Z]{3}$/, 'three capital letters'),
    nationalPrefix: textFrom(env, 'SANDBOX_NATIONAL_PREFIX', /^0\d{1,5}$/, 'a 0 and one to five more digits'),
  };
}

export function refuseInProduction(env: NodeJS.ProcessEnv): void {
  if (env.NODE_ENV === 'production' && env.SANDBOX !== '1') {
    throw new SandboxRefusal('The sandbox does not start in production unless SANDBOX=1 asks for it by name.');
  }
}

function portFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  return numberFrom(env, name, 65_535);
}

function numberFrom(env: NodeJS.ProcessEnv, name: string, most: number): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,8}$/.test(text) || Number(text) > most) {
    throw new SandboxRefusal(`${name} must be a whole number from 0 to ${most}, not "${text}".`);
  }
  return Number(text);
}

function textFrom(env: NodeJS.ProcessEnv, name: string, pattern: RegExp, words: string): string | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (!pattern.test(text)) throw new SandboxRefusal(`${name} must be ${words}, not "${text}".`);
  return text;
}
