import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import {
  pinKeyLifeSeconds,
  pinLifeSeconds,
  unansweredPinSeconds,
  walletLockSeconds,
} from '@portal/domain/verification/lifetimes.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { sealedTokens } from '../http/sealed-token.ts';
import { database, paymentsTests, world } from '../testing/payments-tests.fixture.ts';
import { createPins, type Pins } from './pins.service.ts';

const secret = 'a secret for tests, long enough to be one';

let pins: Pins;
let time: number;

const now = () => new Date(time);
const create = (withSecret = secret) =>
  createPins({ db: database.db, tokens: sealedTokens(withSecret, now), secret: withSecret, now });

paymentsTests();
beforeEach(async () => {
  await sql`truncate pin_keys, pin_attempts`.execute(database.db);
  time = world.now().getTime();
  pins = create();
});

function encrypt(text: string, key: string, label: string, oaepHash = 'sha256'): string {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt(
    { key: publicKey, padding, oaepHash, oaepLabel: Buffer.from(label) },
    Buffer.from(text),
  ).toString('base64');
}

async function challenged() {
  const id = await world.order();
  const challenge = await pins.challenge(id);
  const sealed = (pin: string, label = id) => ({
    pin: encrypt(`${challenge.nonce}.${pin}`, challenge.key, label),
    keyId: challenge.keyId,
  });
  return { id, challenge, sealed };
}

describe('a PIN', () => {
  test('SEC-5 reaches the server under a key of at least 3072 bits', async () => {
    const { key } = await pins.publicKey();
    const details = createPublicKey({
      key: Buffer.from(key, 'base64'),
      format: 'der',
      type: 'spki',
    }).asymmetricKeyDetails;
    expect(details?.modulusLength).toBeGreaterThanOrEqual(3072);
  });

  test('SEC-5 is decrypted for its own transaction, once', async () => {
    const { id, sealed } = await challenged();
    const one = sealed('1234');
    expect(await pins.open(id, one)).toBe('1234');
    await expect(pins.open(id, one)).rejects.toMatchObject({ kind: 'pinRefused' });
  });

  test('SEC-5 of another transaction, altered, late, under an unknown key or malformed: one and the same refusal', async () => {
    const first = await challenged();
    const second = await challenged();
    const good = second.sealed('1234');
    const bytes = Buffer.from(good.pin, 'base64');
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    const bad: [string, { pin: string; keyId?: string }][] = [
      [second.id, first.sealed('1234')],
      [second.id, first.sealed('1234', second.id)],
      [second.id, { ...good, pin: bytes.toString('base64') }],
      [second.id, { ...good, keyId: 'nobody' }],
      [second.id, second.sealed('12345')],
      [second.id, second.sealed('12a4')],
      [second.id, { pin: encrypt('1234', second.challenge.key, second.id) }],
      [second.id, { pin: encrypt(`${second.challenge.nonce}.1234`, second.challenge.key, second.id, 'sha1') }],
      [second.id, { pin: 'bm90IGEgY2lwaGVydGV4dA==' }],
    ];
    const refusals = await Promise.all(bad.map(([id, sealed]) => pins.open(id, sealed).catch((error) => error)));
    for (const refusal of refusals) {
      expect(refusal.kind).toBe('pinRefused');
      expect(refusal.envelope()).toEqual(refusals[0].envelope());
    }
    time += pinLifeSeconds * 1000;
    await expect(pins.open(second.id, good)).rejects.toMatchObject({ kind: 'pinRefused' });
  });

  test('SEC-5 is still decrypted while keys rotate, in every process', async () => {
    const other = create();
    const before = await pins.publicKey();
    expect(await other.publicKey()).toEqual(before);
    time += pinKeyLifeSeconds * 1000 - 30_000;
    const { id, sealed, challenge } = await challenged();
    time += 60_000;
    const after = await create().publicKey();
    expect(after.keyId).not.toBe(challenge.keyId);
    expect(await other.open(id, sealed('4321'))).toBe('4321');
  });

  test('REL-4 is decrypted by a process that has not loaded its key yet', async () => {
    await pins.publicKey();
    time += pinKeyLifeSeconds * 1000 - 30_000;
    const other = create();
    const { keyId } = await other.publicKey();
    time += 31_000;
    const { id, sealed, challenge } = await challenged();
    expect(challenge.keyId).not.toBe(keyId);
    expect(await other.open(id, sealed('4321'))).toBe('4321');
  });

  test('SEC-5 keys are encrypted in the database: another secret does not decrypt them', async () => {
    const { id, sealed } = await challenged();
    const rows = JSON.stringify(await database.db.selectFrom('pin_keys').selectAll().execute());
    expect(rows).not.toContain('PRIVATE');
    await expect(create('another secret, also long enough to be one').open(id, sealed('1234'))).rejects.toMatchObject({
      kind: 'pinRefused',
    });
  });

  test('SEC-5 a new key is created at once after the secret changed', async () => {
    await challenged();
    const changed = create('another secret, also long enough to be one');
    const { keyId } = await changed.publicKey();
    expect(keyId).not.toBe((await pins.publicKey()).keyId);
  });
});

describe('a wallet', () => {
  const wallet = 'wallet:0390000001';
  const take = (at = pins) => at.takeTry(database.db, wallet);
  async function wrong(at = pins) {
    const taken = await take(at);
    await at.noteWrong(database.db, wallet);
    return taken;
  }

  test('SEC-6 is locked by five wrong PINs, whatever address they come from', async () => {
    const left = [];
    for (let index = 0; index < 5; index += 1) {
      expect(await wrong(create())).toBe(true);
      left.push(await pins.triesLeft(wallet));
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(await wrong()).toBe(false);
    expect(await pins.triesLeft('wallet:0390000002')).toBe(5);
  });

  test('SEC-18 lets five of any number of concurrent PINs through before the first response', async () => {
    const processes = [create(), create(), create()];
    const taken = await Promise.all(Array.from({ length: 60 }, (_, index) => take(processes[index % 3])));
    expect(taken.filter(Boolean)).toHaveLength(5);
  });

  test('SEC-18 gives an attempt back if the response was not about the PIN, and all of them after a right PIN', async () => {
    for (let round = 0; round < 5; round += 1) await take();
    expect(await take()).toBe(false);
    await pins.returnAttempt(database.db, wallet);
    expect([await take(), await take()]).toEqual([true, false]);
    await pins.noteRight(database.db, wallet);
    for (let round = 0; round < 5; round += 1) expect(await take()).toBe(true);
  });

  test('SEC-18 attempts that the wallet never answered block it for an hour, and are not counted as wrong', async () => {
    for (let round = 0; round < 5; round += 1) await take();
    expect(await take()).toBe(false);
    expect(await pins.triesLeft(wallet)).toBe(5);
    time += unansweredPinSeconds * 1000;
    expect(await take()).toBe(true);
    await pins.noteWrong(database.db, wallet);
    expect(await pins.triesLeft(wallet)).toBe(4);
  });

  test('is unlocked after a right PIN, or when its lock has expired', async () => {
    await wrong();
    await pins.noteRight(database.db, wallet);
    expect(await pins.triesLeft(wallet)).toBe(5);
    await pins.noteLocked(database.db, wallet);
    expect(await pins.triesLeft(wallet)).toBe(0);
    time += walletLockSeconds * 1000;
    expect(await pins.triesLeft(wallet)).toBe(5);
    await wrong();
    expect(await pins.triesLeft(wallet)).toBe(4);
  });
});

test('an encrypted wallet number is decrypted; anything else is refused', async () => {
  const { key } = await pins.publicKey();
  expect(await pins.openNumber(encrypt('0390000001', key, 'number'))).toBe('0390000001');
  for (const bad of [encrypt('0390000001', key, 'other'), encrypt('<script>', key, 'number'), 'AAAA'])
    await expect(pins.openNumber(bad)).rejects.toMatchObject({ kind: 'malformed' });
});

describe('the key for PINs', () => {
  const rows = () => database.db.selectFrom('pin_keys').selectAll().orderBy('created_at').execute();

  test('expires for PINs after its own lifetime and that of its successor', async () => {
    const made = time;
    const { expiresAt, keyId, key } = await pins.publicKey();
    expect(expiresAt).toBe(new Date(made + 2 * pinKeyLifeSeconds * 1000).toISOString());
    expect(await rows()).toEqual([expect.objectContaining({ id: keyId, public_key: key, created_at: new Date(made) })]);
    expect(keyId).toMatch(/^[0-9a-f]{18}$/);
    expect(
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyDetails,
    ).toEqual({ modulusLength: 3072, publicExponent: 65_537n });
  });

  test('is created once, with any number of concurrent first requests', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => pins.publicKey()));
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is read from the database once a minute', async () => {
    const { keyId } = await pins.publicKey();
    await sql`truncate pin_keys`.execute(database.db);
    time += 59_999;
    expect((await pins.publicKey()).keyId).toBe(keyId);
    time += 1;
    expect((await pins.publicKey()).keyId).not.toBe(keyId);
  });

  test('rotates every day, and is deleted after two', async () => {
    const { keyId } = await pins.publicKey();
    time += pinKeyLifeSeconds * 1000 - 1;
    expect((await create().publicKey()).keyId).toBe(keyId);
    time += 1;
    const { keyId: second } = await create().publicKey();
    expect(second).not.toBe(keyId);
    expect(await rows()).toHaveLength(2);
    time += pinKeyLifeSeconds * 1000 + 1;
    await create().publicKey();
    expect((await rows()).map(({ id }) => id)).not.toContain(keyId);
  });

  test('that another process created is looked up at most once a second', async () => {
    const { id, sealed } = await challenged();
    const other = create('another secret, also long enough to be one');
    await other.publicKey();
    const before = (await rows()).length;
    await expect(other.open(id, sealed('1234'))).rejects.toMatchObject({ kind: 'pinRefused' });
    expect(await rows()).toHaveLength(before);
  });
});

describe('a challenge', () => {
  test('is valid for two minutes and is new each time', async () => {
    const { id, challenge } = await challenged();
    expect(challenge.expiresAt).toBe(new Date(time + pinLifeSeconds * 1000).toISOString());
    expect(challenge.nonce).toMatch(/^[\w-]{22}$/);
    expect((await pins.challenge(id)).nonce).not.toBe(challenge.nonce);
  });

  test('is refused in the wording of the specification', async () => {
    const { id } = await challenged();
    await expect(pins.open(id, { pin: 'x' })).rejects.toThrow('Your PIN could not be read. Please enter it again.');
    await expect(pins.openNumber('x')).rejects.toMatchObject({
      message: 'This number could not be read.',
      extra: { field: 'paymentMobile' },
    });
  });

  test('that is requested again replaces the one before, with a new expiry', async () => {
    const { id, sealed } = await challenged();
    const old = sealed('1234');
    time += (pinLifeSeconds - 1) * 1000;
    const again = await pins.challenge(id);
    time += (pinLifeSeconds - 1) * 1000;
    await expect(pins.open(id, old)).rejects.toMatchObject({ kind: 'pinRefused' });
    expect(await pins.open(id, { pin: encrypt(`${again.nonce}.1234`, again.key, id) })).toBe('1234');
  });

  test('that was answered stays answered, even if another is requested', async () => {
    const { id, sealed } = await challenged();
    expect(await pins.open(id, sealed('1234'))).toBe('1234');
    const again = await pins.challenge(id);
    await expect(pins.open(id, { pin: encrypt(`${again.nonce}.1234`, again.key, id) })).rejects.toMatchObject({
      kind: 'pinRefused',
    });
  });

  test.each(['123', '12345', '1234 ', 'x1234', ''])(
    'takes four digits and nothing else: %j is refused',
    async (pin) => {
      const { id, sealed } = await challenged();
      await expect(pins.open(id, sealed(pin))).rejects.toMatchObject({ kind: 'pinRefused' });
      expect(await pins.open(id, sealed('1234'))).toBe('1234');
    },
  );
});

test.each([
  ['0390000', true],
  ['039000', false],
  ['039000000000000', true],
  ['0390000000000000', false],
  ['390000001', false],
  ['x0390000001', false],
  ['0390000001x', false],
])('a wallet number has a 0 and six to fourteen digits: %s is one: %s', async (number, isOne) => {
  const { key } = await pins.publicKey();
  const opened = pins.openNumber(encrypt(number, key, 'number'));
  if (isOne) expect(await opened).toBe(number);
  else await expect(opened).rejects.toMatchObject({ kind: 'malformed' });
});

describe('the attempts of a wallet', () => {
  const wallet = 'wallet:0390000003';
  const other = 'wallet:0390000004';
  const take = (of = wallet) => pins.takeTry(database.db, of);
  async function wrong(times: number, of = wallet) {
    for (let round = 0; round < times; round += 1) {
      await take(of);
      await pins.noteWrong(database.db, of);
    }
  }

  test('that were wrong count for a day after the last of them', async () => {
    await wrong(3);
    time += walletLockSeconds * 1000 - 1;
    expect(await pins.triesLeft(wallet)).toBe(2);
    time += 1;
    expect(await pins.triesLeft(wallet)).toBe(5);
    for (let round = 0; round < 5; round += 1) expect(await take()).toBe(true);
    expect(await take()).toBe(false);
  });

  test('are those of one wallet: another is neither locked nor cleared with it', async () => {
    await wrong(2);
    await wrong(1, other);
    await pins.noteLocked(database.db, wallet);
    expect([await pins.triesLeft(wallet), await pins.triesLeft(other)]).toEqual([0, 4]);
    await pins.noteRight(database.db, wallet);
    await pins.returnAttempt(database.db, wallet);
    expect([await pins.triesLeft(wallet), await pins.triesLeft(other)]).toEqual([5, 4]);
  });

  test('are none while it is locked, and all of them when the lock has expired', async () => {
    await pins.noteLocked(database.db, wallet);
    expect(await take()).toBe(false);
    time += walletLockSeconds * 1000 - 1;
    expect(await take()).toBe(false);
    expect(await pins.triesLeft(wallet)).toBe(0);
    time += 1;
    for (let round = 0; round < 5; round += 1) expect(await take()).toBe(true);
    expect(await pins.triesLeft(wallet)).toBe(5);
  });

  test('that were wrong or are not answered yet are limited to five together', async () => {
    await wrong(2);
    expect([await take(), await take(), await take(), await take()]).toEqual([true, true, true, false]);
    await pins.returnAttempt(database.db, wallet);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('that are given back without being taken never exceed five', async () => {
    await wrong(1);
    for (let round = 0; round < 3; round += 1) await pins.returnAttempt(database.db, wallet);
    const taken = [await take(), await take(), await take(), await take(), await take()];
    expect(taken).toEqual([true, true, true, true, false]);
  });
});
