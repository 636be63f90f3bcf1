import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = 's'.repeat(32);
const trial = () => ({
  SANDBOX_URL: 'http://127.0.0.1:4000',
  SMPP_URL: 'smpp://127.0.0.1:2775',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  PORTAL_SECRET: secret,
  DATA_DIR: folder,
});
const live: Record<string, string> = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://portal@db.example/portal',
  PORTAL_SECRET: secret,
  CHARGING_URL: 'https://charging.example/',
  CHARGING_KEY: 'key',
  WALLET_URL: 'https://wallet.example',
  WALLET_CLIENT_ID: 'id',
  WALLET_CLIENT_SECRET: 'secret',
  WALLET_CALLBACK_KEYS: 'new, old,',
  SMPP_URL: 'smpp://smsc.example:2775',
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
    ['RATE_LIMIT_SCALE', '0'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['SANDBOX', 'yes'],
    ['SANDBOX_URL', 'localhost:4000'],
    ['CHARGING_URL', 'charging'],
    ['WALLET_OAEP_HASH', 'md5'],
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
      database: { url: live.DATABASE_URL, poolSize: 10 },
      charging: { url: 'https://charging.example', key: 'key' },
      wallet: { callbackKeys: ['new', 'old'] },
    });
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

  test.each(Object.keys(live).filter((name) => name !== 'NODE_ENV' && name !== 'DATABASE_URL'))(
    'refuses to guess %s',
    (name) => {
      expect(refusal({ ...live, [name]: undefined })).toContain(`${name} is not set`);
      expect(refusal({ ...live, [name]: '' })).toContain(`${name} is not set`);
    },
  );
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
      wallet: { url: 'http://127.0.0.1:4000/wallet' },
      database: { folder },
    });
  });

  test('a setting that is given wins over the one of the sandbox', () => {
    expect(readConfig({ ...trial(), CHARGING_URL: 'https://charging.example' }).charging.url).toBe(
      'https://charging.example',
    );
  });

  test('without any provider it says which setting is missing', () => {
    expect(refusal({ PORTAL_SECRET: secret, DATA_DIR: folder })).toContain('CHARGING_URL is not set');
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

test('proxies are a list', () => {
  expect(readConfig({ ...trial(), TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' }).trustedProxies).toEqual([
    '10.0.0.1',
    '10.1.0.0/16',
  ]);
});
