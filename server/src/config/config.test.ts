import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { environment } from './environment.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = 'kZ3vQ8pLr1XtY6mWc9HnBs2JfDgUe7Ao';
const dataKeys = ['mT4xW9qLz2VbN7kRd5HyCs8PfGjUe3Ao', 'hB6nQ1vXr8YtK4mZc7LwDs9JfEgUp2Io'];
const trial = () => ({
  SANDBOX_URL: 'http://127.0.0.1:4000',
  SMPP_URL: 'smpp://127.0.0.1:2775',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  PORTAL_SECRET: secret,
  DATA_DIR: folder,
});
const live: Record<string, string> = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://portal@db.example/portal?sslmode=verify-full',
  PUBLIC_URL: 'https://portal.example',
  TRUSTED_PROXIES: '10.0.0.1',
  PORTAL_SECRET: secret,
  PERSONAL_DATA_KEYS: `2026-a:${dataKeys[0]}, 2025:${dataKeys[1]}`,
  CHARGING_URL: 'https://charging.example/',
  CHARGING_KEY: 'key',
  BILLING_URL: 'https://billing.example/',
  BILLING_KEY: 'billing-key',
  WALLET_URL: 'https://wallet.example',
  WALLET_CLIENT_ID: 'id',
  WALLET_CLIENT_SECRET: 'secret',
  WALLET_CALLBACK_KEYS: 'new, old,',
  SMPP_URL: 'smpps://smsc.example:3550',
  SMPP_SYSTEM_ID: 'id',
  SMPP_PASSWORD: 'password',
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'portal@example.com',
};

function refusal(variables: Record<string, string | undefined>): string {
  try {
    readConfig(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

/** The error message; empty if nothing was refused. */
function refusedOf(variables: Record<string, string | undefined>): string {
  try {
    readConfig(variables);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a value that cannot be used is one sentence with the name of the setting', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['OPERATOR', 'Madagascar'],
    ['PUBLIC_URL', 'portal.example'],
    ['PUBLIC_URL', 'ftp://portal.example'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://db/portal'],
    ['DATABASE_POOL', '1'],
    ['DATABASE_POOL', 'many'],
    ['PORTAL_SECRET', 'short'],
    ['PERSONAL_DATA_KEYS', 'a:short'],
    ['PERSONAL_DATA_KEYS', dataKeys[0] ?? ''],
    ['PERSONAL_DATA_KEYS', `A b:${dataKeys[0]}`],
    ['PERSONAL_DATA_KEYS', `a:${dataKeys[0]},a:${dataKeys[1]}`],
    ['PERSONAL_DATA_KEYS', ' , '],
    ['RATE_LIMIT_SCALE', '0'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['SANDBOX', 'yes'],
    ['SANDBOX_URL', 'localhost:4000'],
    ['CHARGING_URL', 'charging'],
    ['BILLING_URL', 'billing.example'],
    ['WALLET_OAEP_HASH', 'md5'],
    ['WALLET_ENQUIRY_STATES_AMOUNT', 'yes'],
    ['WALLET_CODES', '{"DP00800001010":"angry"}'],
    ['MPESA_URL', 'daraja'],
    ['MPESA_SHORTCODE', 'shop'],
    ['MPESA_TIME_ZONE', 'Mars/Olympus'],
    ['SMARTCASH_URL', 'smartcash.example'],
    ['SMARTCASH_OAEP_HASH', 'md5'],
    ['SMARTCASH_PATHS', '{"token":'],
    ['SMARTCASH_PATHS', '{"tokens":"/oauth"}'],
    ['SMARTCASH_PATHS', '{"token":"oauth"}'],
    ['SMARTCASH_HEADERS', '[]'],
    ['SMARTCASH_CODES', '{"00":"fine"}'],
    ['PAYSTACK_URL', 'paystack'],
    ['PAYSTACK_SECRET_KEYS', ' , '],
    ['PAYSTACK_SCRIPT_URL', '/inline.js'],
    ['PAYSTACK_MODE', 'production'],
    ['CARD_URL', 'card.example'],
    ['CARD_WEBHOOK_SECRETS', ','],
    ['CARD_CHECKOUT_ORIGINS', 'checkout.example'],
    ['CARD_CHECKOUT_ORIGINS', 'https://checkout.example/pay'],
    ['ORANGE_URL', 'orange'],
    ['ORANGE_ENVIRONMENT', 'production'],
    ['ORANGE_CHECKOUT_ORIGINS', 'https://a.example,b'],
    ['SMPP_URL', 'http://smsc.example'],
    ['SMTP_URL', 'mail.example'],
  ])('%s=%s', (name, value) => {
    const sentence = refusal({ ...trial(), [name]: value });
    expect(sentence).toMatch(/^The portal cannot start: /);
    expect(sentence).toContain(`${name} `);
    expect(sentence).toMatch(/\.$/);
    expect(sentence).not.toContain('\n');
    expect(sentence).not.toMatch(/ZodError|at .*\.ts|undefined/);
  });

  test('several are told together', () => {
    const sentence = refusal({ ...trial(), PORT: 'abc', LOG_LEVEL: 'loud' });
    expect(sentence).toContain('PORT must be a number');
    expect(sentence).toContain('LOG_LEVEL ');
  });

  test('a secret that is refused is not repeated', () => {
    expect(refusal({ ...trial(), PORTAL_SECRET: 'hunter2' })).not.toContain('hunter2');
  });
});

describe('production', () => {
  test('takes its own providers and PostgreSQL', () => {
    expect(readConfig(live)).toMatchObject({
      production: true,
      sandboxUrl: null,
      database: { url: live.DATABASE_URL, poolSize: 10, prepares: true },
      charging: { url: 'https://charging.example', key: 'key' },
      billing: { url: 'https://billing.example', key: 'billing-key' },
      wallet: { callbackKeys: ['new', 'old'] },
    });
  });

  test('SEC-24 refuses all that is not safe, and tells every reason at once', () => {
    const said = refusal({
      NODE_ENV: 'production',
      PORT: 'abc',
      PUBLIC_URL: 'http://portal.example',
      DATABASE_URL: 'postgresql://portal@db.example/portal',
      PORTAL_SECRET: 's'.repeat(40),
      METRICS_KEY: 'metricsmetricsmetrics',
      PERSONAL_DATA_KEYS: `old:${'k'.repeat(40)},new:${dataKeys[0]},newer:${dataKeys[0]}`,
      SANDBOX_URL: 'http://127.0.0.1:4000',
      CHARGING_URL: 'http://charging.example',
      WALLET_URL: 'http://10.0.0.7/wallet',
      CARD_CHECKOUT_ORIGINS: 'https://a.example,http://b.example',
      SMPP_URL: 'smpp://smsc.example:2775',
      SMTP_URL: 'smtp://mail.example:587?ignoreTLS=true',
      BILLING_KEY: 'sandbox-billing-key',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
    expect(said.replace(/^The portal cannot start: |\.$/g, '').split('; ')).toEqual(
      [
        'PORT must be a number',
        'PUBLIC_URL must begin with https://',
        'TRUSTED_PROXIES is not set',
        'PORTAL_SECRET can be guessed',
        'METRICS_KEY can be guessed',
        'PERSONAL_DATA_KEYS (old) can be guessed',
        'PERSONAL_DATA_KEYS has the same key under two names',
        'DATABASE_URL leads to another machine without sslmode=verify-full',
        'CHARGING_URL must begin with https://',
        'WALLET_URL must begin with https://',
        'CARD_CHECKOUT_ORIGINS must begin with https://',
        'SMPP_URL must begin with smpps://',
        'SMTP_URL must not turn TLS',
        'SANDBOX_URL is set',
        'BILLING_KEY is the sandbox’s own',
        'NODE_TLS_REJECT_UNAUTHORIZED=0',
      ].map((reason) => expect.stringContaining(reason)),
    );
    expect(said).not.toContain('sandbox-billing-key');
    expect(said).not.toContain('metricsmetrics');
  });

  test('SEC-24 with nothing set, the address, the proxies, the secret and the database are among the reasons', () => {
    const said = refusal({ NODE_ENV: 'production' });
    for (const name of [
      'PUBLIC_URL',
      'TRUSTED_PROXIES',
      'PORTAL_SECRET',
      'PERSONAL_DATA_KEYS',
      'DATABASE_URL',
      'CHARGING_URL',
      'SMPP_URL',
    ])
      expect(said).toContain(`${name} is not set`);
  });

  test.each([
    ['every address of a call', Object.keys(environment.shape).filter((name) => /_URL$/.test(name))],
    ['origins and collector', ['CARD_CHECKOUT_ORIGINS', 'ORANGE_CHECKOUT_ORIGINS', 'OTEL_EXPORTER_OTLP_ENDPOINT']],
  ])('SEC-24 %s wants TLS beyond this machine', (_what, names) => {
    const schemes: Record<string, string> = { SMPP_URL: 'smpp', DATABASE_URL: 'postgresql' };
    for (const name of names.filter((each) => each !== 'SMTP_URL')) {
      const address = (host: string) => `${schemes[name] ?? 'http'}://${host}`;
      const said = refusal({ ...live, [name]: address('elsewhere.example') });
      expect(said, name).toContain(`${name} `);
      if (name === 'PUBLIC_URL' || name === 'SANDBOX_URL') continue;
      for (const here of ['localhost', '127.0.0.1', '[::1]'].map(address))
        expect(refusedOf({ ...live, [name]: here }), `${name} ${here}`).not.toContain(`${name} `);
      // Hosts that only resemble this machine.
      for (const there of ['localhost.example', '127.0.0.1.example', '0.0.0.0', '[::]', '128.0.0.1'].map(address))
        expect(refusal({ ...live, [name]: there }), there).toContain(`${name} `);
    }
  });

  test('SEC-24 a database elsewhere is asked for its certificate, however its address is written', () => {
    const at = (rest: string) => refusedOf({ ...live, DATABASE_URL: `postgresql://portal@${rest}` });
    for (const verified of [
      'db.example/portal?sslmode=verify-full',
      'db.example/portal?sslmode=verify-full&sslrootcert=/etc/ca.pem',
      'localhost/portal',
      '127.0.0.1:5432/portal',
      'localhost/portal?host=/run/postgresql',
    ])
      expect(at(verified), verified).toBe('');
    for (const open of [
      'db.example/portal',
      'db.example/portal?sslmode=disable',
      'db.example/portal?sslmode=no-verify',
      'db.example/portal?sslmode=require',
      'db.example/portal?sslmode=verify-full&uselibpqcompat=true',
      'localhost/portal?host=db.example',
      'localhost.example/portal',
    ])
      expect(at(open), open).toContain('DATABASE_URL leads to another machine');
  });

  test('SEC-24 a secret is worth what nobody can try out', () => {
    for (const weak of [
      's',
      'ab',
      'abcdefgh',
      '0123456789abcdef',
      'change-me-',
      'abcdefghijklmnopqrstuvwxyz012345',
      'secret',
    ])
      expect(refusal({ ...live, PORTAL_SECRET: weak.repeat(Math.ceil(40 / weak.length)) }), weak).toContain(
        'PORTAL_SECRET can be guessed',
      );
    for (let round = 0; round < 50; round += 1)
      for (const made of [
        randomBytes(16).toString('hex'),
        randomBytes(24).toString('base64url'),
        randomBytes(48).toString('base64'),
      ])
        expect(refusedOf({ ...live, PORTAL_SECRET: made, METRICS_KEY: made })).toBe('');
    expect(refusal({ ...live, PORTAL_SECRET: 'short' })).toContain('PORTAL_SECRET must have at least 32');
  });

  test('SEC-24 a proxy that is everybody is none', () => {
    for (const all of ['0.0.0.0/0', '::/0', '10.0.0.1, 0.0.0.0/0'])
      expect(refusal({ ...live, TRUSTED_PROXIES: all })).toContain('TRUSTED_PROXIES believes everybody');
  });

  test('refuses the embedded database, and says what to do', () => {
    const sentence = refusal({ ...live, DATABASE_URL: undefined });
    expect(sentence).toContain('embedded database');
    expect(sentence).toContain('DATABASE_URL');
  });

  test('refuses the sandbox unless it is asked for by name', () => {
    const sandbox = { ...live, SANDBOX_URL: 'http://127.0.0.1:4000' };
    expect(refusal(sandbox)).toContain('SANDBOX=1');
    expect(readConfig({ ...sandbox, SANDBOX: '1' }).sandboxUrl).toBe('http://127.0.0.1:4000');
  });

  test.each(Object.keys(live).filter((name) => name !== 'NODE_ENV'))('refuses to guess %s', (name) => {
    expect(refusal({ ...live, [name]: undefined })).toContain(`${name} is not set`);
    expect(refusal({ ...live, [name]: '' })).toContain(`${name} is not set`);
  });
});

describe('SEC-26 the keys of personal data', () => {
  test('are a list of names and keys, in the order they are given', () => {
    expect(readConfig(live).personalDataKeys).toEqual([
      { id: '2026-a', secret: dataKeys[0] },
      { id: '2025', secret: dataKeys[1] },
    ]);
  });

  test('are read from a file like every secret', () => {
    const file = join(folder, 'data-keys');
    writeFileSync(file, `a:${dataKeys[0]}\n`);
    const { PERSONAL_DATA_KEYS: _, ...rest } = live;
    expect(readConfig({ ...rest, PERSONAL_DATA_KEYS_FILE: file }).personalDataKeys).toEqual([
      { id: 'a', secret: dataKeys[0] },
    ]);
  });

  test('are derived from the secret in a trial, and beside others where that is asked for', () => {
    expect(readConfig(trial()).personalDataKeys).toEqual([{ id: 'portal-secret', secret }]);
    const both = readConfig({ ...live, PERSONAL_DATA_KEYS: `a:${dataKeys[0]},portal-secret` });
    expect(both.personalDataKeys.map(({ id }) => id)).toEqual(['a', 'portal-secret']);
    expect(both.personalDataKeys[1]?.secret).toBe(secret);
  });

  test('that are refused are named without their value', () => {
    const said = refusal({ ...live, PERSONAL_DATA_KEYS: `old:${'k'.repeat(40)}` });
    expect(said).toContain('PERSONAL_DATA_KEYS (old) can be guessed');
    expect(said).not.toContain('kkkk');
    expect(refusal({ ...live, PERSONAL_DATA_KEYS: 'a:hunter2' })).not.toContain('hunter2');
  });
});

describe('a trial', () => {
  test('gets everything but addresses from the sandbox', () => {
    const config = readConfig({ ...trial(), SANDBOX_URL: 'http://127.0.0.1:4000/' });
    expect(config).toMatchObject({
      production: false,
      operator: 'mg',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      trustedProxies: [],
      charging: { url: 'http://127.0.0.1:4000/charging' },
      billing: { url: 'http://127.0.0.1:4000/billing', key: 'sandbox-billing-key' },
      wallet: { url: 'http://127.0.0.1:4000/wallet' },
      database: { folder },
    });
  });

  test('a setting that is given wins over the one of the sandbox', () => {
    expect(readConfig({ ...trial(), CHARGING_URL: 'https://charging.example' }).charging.url).toBe(
      'https://charging.example',
    );
  });

  test('without any provider it says which settings are missing, all at once', () => {
    const said = refusal({ PORTAL_SECRET: secret, DATA_DIR: folder });
    for (const name of ['CHARGING_URL', 'WALLET_CLIENT_SECRET', 'SMPP_URL', 'MAIL_FROM'])
      expect(said).toContain(`${name} is not set`);
  });

  test('keeps a secret of its own, the same after a restart, readable by its owner alone', () => {
    const data = join(folder, 'kept');
    const first = readConfig({ ...trial(), PORTAL_SECRET: undefined, DATA_DIR: data }).secret;
    const second = readConfig({ ...trial(), PORTAL_SECRET: undefined, DATA_DIR: data }).secret;
    expect(first).toBe(second);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(readFileSync(join(data, 'secret'), 'utf8').trim()).toBe(first);
    expect(statSync(join(data, 'secret')).mode & 0o077).toBe(0);
  });
});

describe('a setting in a file', () => {
  const file = () => join(folder, 'wallet-secret');

  test('is read without its line end, and never beside the setting itself', () => {
    writeFileSync(file(), 'from a file\n');
    const config = readConfig({ ...trial(), WALLET_CLIENT_SECRET_FILE: file() });
    expect(config.wallet.clientSecret).toBe('from a file');
    expect(refusal({ ...trial(), WALLET_CLIENT_SECRET_FILE: file(), WALLET_CLIENT_SECRET: 'x' })).toContain('both set');
  });

  test('that cannot be read is said by its name alone', () => {
    const sentence = refusal({ ...trial(), WALLET_CLIENT_SECRET_FILE: join(folder, 'missing') });
    expect(sentence).toContain('WALLET_CLIENT_SECRET_FILE');
    expect(sentence).not.toContain('missing');
  });
});

test('traces go to a collector where one is named, else nowhere', () => {
  expect(readConfig(trial()).tracing).toBeNull();
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/' };
  expect(readConfig({ ...trial(), ...collector }).tracing).toEqual({
    url: 'http://collector.example:4318',
    service: 'portal',
  });
});

test('proxies are a list', () => {
  expect(readConfig({ ...trial(), TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' }).trustedProxies).toEqual([
    '10.0.0.1',
    '10.1.0.0/16',
  ]);
});

describe('a provider that not every operator has', () => {
  const mpesa: Record<string, string> = {
    MPESA_URL: 'https://daraja.example/',
    MPESA_CONSUMER_KEY: 'key',
    MPESA_CONSUMER_SECRET: 'secret',
    MPESA_SHORTCODE: '600000',
    MPESA_PASSKEY: 'pass',
    MPESA_INITIATOR: 'initiator',
    MPESA_SECURITY_CREDENTIAL: 'locked',
  };
  const smartcash: Record<string, string> = {
    SMARTCASH_URL: 'https://smartcash.example',
    SMARTCASH_CLIENT_ID: 'id',
    SMARTCASH_CLIENT_SECRET: 'secret',
  };

  test('is absent when nothing of it is set, and the sandbox has both', () => {
    expect(readConfig(live)).toMatchObject({ mpesa: null, smartcash: null });
    expect(readConfig(trial())).toMatchObject({
      mpesa: { url: 'http://127.0.0.1:4000/mpesa', shortCode: '174379', timeZone: 'Africa/Nairobi' },
      smartcash: { url: 'http://127.0.0.1:4000/smartcash', clientId: 'sandbox-smartcash-client' },
    });
  });

  test('is there when all of it is set', () => {
    expect(readConfig({ ...live, ...mpesa, MPESA_TIME_ZONE: 'Indian/Antananarivo' }).mpesa).toEqual({
      url: 'https://daraja.example',
      consumerKey: 'key',
      consumerSecret: 'secret',
      shortCode: '600000',
      passkey: 'pass',
      initiator: 'initiator',
      securityCredential: 'locked',
      timeZone: 'Indian/Antananarivo',
    });
    expect(readConfig({ ...live, ...smartcash }).smartcash).toMatchObject({
      url: 'https://smartcash.example',
      oaepHash: 'sha1',
      paths: { token: '/oauth/token' },
      codes: { '56D005': 'wrongPin', '1006': 'walletLocked' },
    });
  });

  test.each([
    ...Object.keys(mpesa).map((name) => [name, mpesa] as const),
    ...Object.keys(smartcash).map((name) => [name, smartcash] as const),
  ])('is refused when all but %s is set', (name, all) => {
    const { [name]: _left, ...rest } = all;
    expect(refusal({ ...live, ...rest })).toContain(`${name} is not set`);
  });

  test('is refused when only its tables are set', () => {
    expect(refusal({ ...live, SMARTCASH_CODES: '{"00":"paid"}' })).toContain('SMARTCASH_URL is not set');
  });

  test('takes paths that differ, headers and codes as they are given', () => {
    const given = {
      SMARTCASH_PATHS: '{"status":"/tx/{reference}"}',
      SMARTCASH_HEADERS: '{"x-token":"{token}"}',
      SMARTCASH_CODES: '{"00":"paid","1006":"walletLocked"}',
    };
    const config = readConfig({ ...live, ...smartcash, ...given }).smartcash;
    expect(config?.paths).toMatchObject({ token: '/oauth/token', status: '/tx/{reference}' });
    expect(config?.headers).toEqual({ 'x-token': '{token}' });
    expect(config?.codes).toEqual({ '00': 'paid', '1006': 'walletLocked' });
  });
});

test('REL-17 the wallet need not state amounts, and has no codes of its own, unless told otherwise', () => {
  expect(readConfig(live).wallet).toMatchObject({ statesAmount: false, codes: {} });
  const told = { WALLET_ENQUIRY_STATES_AMOUNT: '1', WALLET_CODES: '{"X1":"walletLocked"}' };
  expect(readConfig({ ...live, ...told }).wallet).toMatchObject({ statesAmount: true, codes: { X1: 'walletLocked' } });
});

describe('a card gateway', () => {
  const gateways: [keyof ReturnType<typeof readConfig>, Record<string, string>][] = [
    [
      'paystack',
      {
        PAYSTACK_URL: 'https://paystack.example',
        PAYSTACK_SECRET_KEYS: 'new, old',
        PAYSTACK_PUBLIC_KEY: 'public',
        PAYSTACK_SCRIPT_URL: 'https://js.example/v2/inline.js',
        PAYSTACK_MODE: 'live',
      },
    ],
    [
      'cardCheckout',
      {
        CARD_URL: 'https://card.example',
        CARD_SECRET_KEY: 'key',
        CARD_WEBHOOK_SECRETS: 'new,old',
        CARD_CHECKOUT_ORIGINS: 'https://checkout.example, https://checkout-two.example',
      },
    ],
    [
      'orangeMoney',
      {
        ORANGE_URL: 'https://orange.example',
        ORANGE_ENVIRONMENT: 'mg',
        ORANGE_CLIENT_ID: 'id',
        ORANGE_CLIENT_SECRET: 'secret',
        ORANGE_MERCHANT_KEY: 'key',
        ORANGE_CHECKOUT_ORIGINS: 'https://webpayment.example',
      },
    ],
  ];

  test('is absent when nothing of it is set, and the sandbox has all three', () => {
    expect(readConfig(live)).toMatchObject({ paystack: null, cardCheckout: null, orangeMoney: null });
    expect(readConfig(trial())).toMatchObject({
      paystack: { scriptUrl: 'http://127.0.0.1:4000/paystack/inline.js', mode: 'test' },
      cardCheckout: { url: 'http://127.0.0.1:4000/card', checkoutOrigins: ['http://127.0.0.1:4000'] },
      orangeMoney: { url: 'http://127.0.0.1:4000/orange', environment: 'dev' },
    });
  });

  test.each(gateways)('%s alone is there when all of it is set', (name, all) => {
    const config = readConfig({ ...live, ...all });
    for (const [other] of gateways) expect(config[other] !== null).toBe(other === name);
  });

  test('keeps lists in their order', () => {
    const config = readConfig(Object.assign({}, live, ...gateways.map(([, all]) => all)));
    expect(config.paystack).toMatchObject({ secretKeys: ['new', 'old'], mode: 'live' });
    expect(config.cardCheckout?.checkoutOrigins).toEqual(['https://checkout.example', 'https://checkout-two.example']);
    expect(config.orangeMoney).toMatchObject({ environment: 'mg', merchantKey: 'key' });
  });

  test.each(gateways.flatMap(([, all]) => Object.keys(all).map((name) => [name, all] as const)))(
    'is refused when all but %s is set',
    (name, all) => {
      const { [name]: _left, ...rest } = all;
      expect(refusal({ ...live, ...rest })).toContain(`${name} is not set`);
    },
  );
});

describe('places', () => {
  test('addresses are found by ourselves unless a service is named, which then needs what it needs', () => {
    expect(readConfig(trial()).geocoder).toBeNull();
    expect(readConfig({ ...trial(), GEOCODER: 'photon' }).geocoder).toEqual({
      name: 'photon',
      url: 'https://photon.komoot.io',
      key: '',
    });
    expect(refusal({ ...trial(), GEOCODER: 'google' })).toContain('GEOCODER_KEY');
    expect(refusal({ ...trial(), GEOCODER: 'nominatim' })).toContain('GEOCODER_URL');
    expect(refusal({ ...trial(), GEOCODER: 'other' })).toContain('GEOCODER');
  });

  test('a tile server needs its attribution', () => {
    const url = 'https://tiles.example/{z}/{x}/{y}.png';
    expect(readConfig(trial()).mapTiles).toBeNull();
    expect(refusal({ ...trial(), MAP_TILES_URL: url })).toContain('MAP_TILES_ATTRIBUTION');
    const set = readConfig({ ...trial(), MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: '© Tiles' });
    expect(set.mapTiles).toEqual({ url, attribution: '© Tiles' });
  });
});

describe('the console', () => {
  const consoleOf = (more: Record<string, string>) => readConfig({ ...live, ...more }).console;
  const openid = {
    CONSOLE_OPENID_URL: 'https://id.example',
    CONSOLE_OPENID_CLIENT_ID: 'console',
    CONSOLE_OPENID_CLIENT_SECRET: 'secret',
  };

  test('is closed unless somebody says how it is entered', () => {
    expect(consoleOf({})).toBeNull();
    expect(consoleOf(openid)).toEqual({ origin: 'https://portal.example', signIn: 'openid' });
    expect(consoleOf({ CONSOLE_SIGN_IN: 'passkeys' })).toEqual({
      origin: 'https://portal.example',
      signIn: 'passkeys',
    });
    expect(consoleOf({ ...openid, CONSOLE_ORIGIN: 'off' })).toBeNull();
    expect(consoleOf({ ...openid, CONSOLE_ORIGIN: 'https://console.example' })?.origin).toBe('https://console.example');
  });

  test('is refused in clear, with a path, and by a provider that is not named', () => {
    expect(refusal({ ...live, ...openid, CONSOLE_ORIGIN: 'http://console.example' })).toContain(
      'CONSOLE_ORIGIN must begin',
    );
    expect(refusal({ ...live, ...openid, CONSOLE_ORIGIN: 'https://console.example/desk' })).toContain('CONSOLE_ORIGIN');
    expect(refusal({ ...live, CONSOLE_SIGN_IN: 'openid' })).toContain('CONSOLE_OPENID_URL is not set');
  });
});
