import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runKeysCommand } from '../keys.commands.ts';
import { insertLead, listLeads } from '../leads/leads.store.ts';
import { testDatabase } from '../testing/database.ts';
import { fillOlder } from '../testing/older-database.ts';
import { database, paymentsTests } from '../testing/payments-tests.fixture.ts';
import { type PaymentsWorld, paymentsWorld, persons } from '../testing/payments-world.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openRow, PersonalData, withPersonalData } from './personal-data.ts';
import { checkKeys, countByKey, markKeyInUse, reseal } from './reseal.ts';

paymentsTests();
beforeEach(async () => {
  await sql`truncate personal_data_keys, leads, lead_notes, lead_history, form_entries, codes, proofs, pin_attempts`.execute(
    database.db,
  );
});

const key = (id: string, secret = `the key ${id} `.repeat(5)) => ({ id, secret });
/** The database as a portal with these keys opens it. */
function openedWith(...keys: { id: string; secret: string }[]): Database {
  const data = new PersonalData({ keys, secret: 'the secret of the portal' });
  return { ...database, db: withPersonalData(database.db, data) };
}

const opened = {
  msisdn: persons.msisdn,
  payer_msisdn: persons.payerMsisdn,
  email: persons.email,
  account_id: persons.accountId,
  invoice_number: persons.invoiceNumber,
  details: persons.details,
};

async function command(keys: Database, ...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const code = await runKeysCommand(words, keys.db, (line) => void lines.push(line));
  return { code, said: lines.join('\n') };
}

/** Makes it look as if no portal had run for a while. */
const nobodyWrites = () =>
  sql`update personal_data_keys set written_at = now() - interval '31 seconds'`.execute(database.db);

async function keysInUse(): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const { key: id, values } of await countByKey(openedWith(key('a')).db)) used[id] = (used[id] ?? 0) + values;
  return used;
}

describe('SEC-26 keys rotate', () => {
  test('while payments go on; then the old key can be removed, and every value is still readable and found', async () => {
    const [old, fresh] = [key('old'), key('new')];
    const before = openedWith(old);
    await checkKeys(before.db);
    const early = paymentsWorld(before);
    const ids: string[] = [];
    for (let order = 0; order < 300; order += 1) ids.push(await early.order(persons));
    expect(await keysInUse()).toEqual({ old: expect.any(Number) });

    const both = openedWith(fresh, old);
    await checkKeys(both.db);
    await nobodyWrites();
    const world = paymentsWorld(both);
    const paid = { kind: 'paid', providerReference: 'm1', amount: 5_000, currency: 'XTS' } as const;
    world.gateway.answers.enquire = () => paid;
    world.billing.answers.deliver = () => ({ kind: 'delivered', providerReference: 'd1' });
    let isRotating = true;
    const rotated = command(both, 'rotate').finally(() => {
      isRotating = false;
    });
    const during: string[] = [];
    do {
      const [waiting] = ids.slice(during.length);
      if (waiting) await world.payments.process(waiting);
      during.push(await world.submitted(persons));
      world.advance(20);
      await world.sweep();
    } while (isRotating);
    const { code, said } = await rotated;
    expect([code, said]).toEqual([0, expect.stringContaining('Everything is under new')]);
    // State changes made meanwhile wrote nothing under the old key.
    expect(await keysInUse()).toEqual({ new: expect.any(Number) });
    expect(world.failedSteps).toEqual([]);

    const after = openedWith(fresh);
    await checkKeys(after.db);
    const later = paymentsWorld(after);
    for (const id of [...ids.slice(0, 20), ...ids.slice(-5), ...during.slice(0, 5)])
      expect(await later.paymentOf(id)).toMatchObject(opened);
    for (const id of during.slice(0, 3)) expect(await later.stateOf(id)).toBe('SUCCEEDED');
    const [asked] = after.db
      .getExecutor()
      .plugins.filter((plugin) => plugin instanceof PersonalData)
      .slice(-1);
    const found = await after.db
      .selectFrom('payments')
      .select('id')
      .where('msisdn_hash', '=', asked?.hashes('number', persons.msisdn)[0] ?? null)
      .execute();
    expect(found).toHaveLength(ids.length + during.length);
    await expect(paymentsWorld(openedWith(old)).paymentOf(ids[0] ?? '')).rejects.toThrow('not configured');
  });

  test('a run that was stopped half-way can be resumed', async () => {
    const [old, fresh] = [key('old'), key('new')];
    const early = paymentsWorld(openedWith(old));
    for (let order = 0; order < 600; order += 1) await early.order(persons);
    const both = openedWith(fresh, old);
    const stop = new Error('killed');
    await expect(
      reseal(both.db, {
        onProgress() {
          throw stop;
        },
      }),
    ).rejects.toBe(stop);
    const half = await keysInUse();
    expect(half.old).toBeGreaterThan(0);
    expect(half.new).toBeGreaterThan(0);
    expect((await reseal(both.db)).unreadable).toBe(0);
    expect(Object.keys(await keysInUse())).toEqual(['new']);
    expect((await reseal(both.db)).rows).toBe(0);
  });

  test('not while a portal still writes under another key, which is named', async () => {
    const [old, fresh] = [key('old'), key('new')];
    await checkKeys(openedWith(old).db);
    const both = openedWith(fresh, old);
    await checkKeys(both.db);
    const refused = await command(both, 'rotate');
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('still writes under old')]);
    await nobodyWrites();
    expect((await command(both, 'rotate')).code).toBe(0);
    // A portal that started writing meanwhile keeps its key on the list of required keys.
    await sql`update personal_data_keys set written_at = now() - interval '31 seconds'`.execute(database.db);
    await markKeyInUse(openedWith(old).db);
    await reseal(both.db);
    await expect(checkKeys(openedWith(fresh).db)).rejects.toThrow('the key old');
  });

  test('a value that no key opens is left as it is and counted, and the other keys stay required', async () => {
    const [old, fresh] = [key('old'), key('new')];
    const early = paymentsWorld(openedWith(old));
    await checkKeys(openedWith(old).db);
    const [one, other] = [await early.order(persons), await early.order(persons)];
    await sql`update payments set msisdn = (select msisdn from payments where id = ${other}) where id = ${one}`.execute(
      database.db,
    );
    const both = openedWith(fresh, old);
    await checkKeys(both.db);
    await nobodyWrites();
    const { code, said } = await command(both, 'rotate');
    expect([code, said]).toEqual([1, expect.stringContaining('1 rows open with no key')]);
    await expect(checkKeys(openedWith(fresh).db)).rejects.toThrow('the key old');
    expect(await paymentsWorld(both).paymentOf(other)).toMatchObject(opened);
  });

  test('show counts the values under each key, by table', async () => {
    const both = openedWith(key('new'), key('old'));
    await paymentsWorld(openedWith(key('old'))).order(persons);
    await paymentsWorld(both).order(persons);
    const { code, said } = await command(both, 'show');
    expect(code).toBe(0);
    expect(said.split('\n').map((line) => line.trim())).toEqual([
      'Keys: new, old; new writes.',
      '7  payments  new',
      '7  payments  old',
      '1  idempotency_keys  new',
      '1  idempotency_keys  old',
    ]);
    expect((await command(both, 'everything')).code).toBe(2);
  });
});

describe('SEC-26 a wrong key is reported at startup with a clear message', () => {
  beforeEach(() => checkKeys(openedWith(key('a')).db));

  test.for([
    [
      'another key of the same name',
      [key('a', 'another secret'.repeat(4))],
      'the key a of PERSONAL_DATA_KEYS is not the one',
    ],
    ['a key that is not listed', [key('b')], 'encrypted with the key a, which PERSONAL_DATA_KEYS does not list'],
    ['both', [key('b'), key('a', 'x'.repeat(40))], 'the key a of PERSONAL_DATA_KEYS is not the one'],
  ] as const)('%s', async ([, keys, words]) => {
    await expect(checkKeys(openedWith(...keys).db)).rejects.toThrow(words);
    // The failed check stored nothing: the right keys still pass.
    await checkKeys(openedWith(key('a')).db);
  });

  test('the secret of the portal, where the key is derived from it', async () => {
    await sql`truncate personal_data_keys`.execute(database.db);
    await checkKeys(openedWith(key('portal-secret', 'one secret')).db);
    await expect(checkKeys(openedWith(key('portal-secret', 'another secret')).db)).rejects.toThrow(
      'PORTAL_SECRET is not the one',
    );
  });
});

test('SEC-26 an upgrade marks values in clear for encryption, and removes persons from append-only texts', async () => {
  const older = await testDatabase({ migrated: false });
  const { db } = older;
  try {
    await fillOlder(db);
    await migrate(db);
    const data = withPersonalData(db, new PersonalData({ keys: [key('a')], secret: 'the secret of the portal' }));
    await checkKeys(data);
    expect((await reseal(data)).rows).toBe(1);
    await checkKeys(data);
    const all = await sql<{ text: string }>`select concat(payments::text, (select string_agg(payment_history::text, '')
      from payment_history), (select string_agg(payment_evidence::text, '') from payment_evidence)) as text
      from payments`.execute(db);
    expect(all.rows[0]?.text).not.toMatch(/390000123|390000124|00 001 24|example/);
    expect(all.rows[0]?.text).toContain('called #, #');
    const stored = await data.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
    expect(openRow(data, 'payments', stored)).toMatchObject({
      msisdn: '0390000123',
      payer_msisdn: '0390000124',
      provider_reference: 'ws_CO_17390000124',
    });
    await expect(sql`update payment_history set note = null`.execute(db)).rejects.toThrow('append-only');
    await expect(sql`update payment_evidence set receipt = null`.execute(db)).rejects.toThrow('append-only');
  } finally {
    await older.close();
  }
});

describe('SEC-26 a database with data from before encryption', () => {
  const lead = {
    ...{ id: 'HB1', proof_digest: 'd', body_digest: 'b', full_name: 'Rasoa', contact_number: '0390000123' },
    ...{ line_type: 'PREPAID', email: 'client@example.mg', is_feasible: true, plan_code: 'H', plan_amount: 1 },
    ...{ plan_currency: 'XTS', plan_description: 'x', source: 'WEBPORTAL', reference: 'ODU', works_id: null },
    ...{
      address: JSON.stringify({ city: 'antananarivo', street1: 'Lot II' }),
      language: 'en-GB',
      status: 'SUBMITTED' as const,
    },
    ...{ handover: 'waiting' as const, crm_reference: null, paid_by: null, due_at: null, looked_at: null },
    ...{ created_at: new Date('2026-03-02T08:00:00Z'), changed_at: new Date('2026-03-02T08:00:00Z') },
  };
  let data: Database;
  let ids: string[];

  /** Every value as the version before stored it. */
  let world: PaymentsWorld;
  beforeEach(async () => {
    data = openedWith(key('a'));
    world = paymentsWorld(data);
    ids = [];
    for (let order = 0; order < 30; order += 1) ids.push(await world.submitted(persons));
    await insertLead(data.db, lead);
    await sql`update payments set msisdn = ${persons.msisdn}, payer_msisdn = ${persons.payerMsisdn}, email = ${persons.email},
      account_id = ${persons.accountId}, invoice_number = ${persons.invoiceNumber}, msisdn_hash = null, payer_hash = null,
      email_hash = null, invoice_hash = null, details = ${JSON.stringify(persons.details)}::jsonb,
      continuation = '{"redirectUrl":"https://pay.example"}'`.execute(database.db);
    await sql`update leads set full_name = 'Rasoa', contact_number = '0390000123', email = 'client@example.mg',
      source = 'WEBPORTAL', reference = 'ODU', body_digest = 'b', address = ${lead.address}::jsonb`.execute(
      database.db,
    );
    await sql`insert into callbacks (provider, digest, verdict, payment_id, headers, body, received_at)
      values ('wallet', 'd', 'signed', ${ids[0]}, '{"date":"today"}', convert_to('{"msisdn":"0390000123"}', 'UTF8'), now())`.execute(
      database.db,
    );
    await sql`insert into pin_attempts (wallet, wrong, changed_at) values ('wallet:0390000123', 3, now())`.execute(
      database.db,
    );
    await sql`insert into personal_data_keys (id, proof, written_at) values ('clear', '', now())`.execute(database.db);
  });
  afterEach(() => sql`truncate callbacks, leads, lead_notes, lead_history, pin_attempts`.execute(database.db));

  test('is read as it is, is encrypted while payments go on, and refuses values in clear from then on', async () => {
    await checkKeys(data.db);
    expect(await world.paymentOf(ids[0] ?? '')).toMatchObject(opened);
    expect(await keysInUse()).toMatchObject({ clear: expect.any(Number) });
    const [resealed] = await Promise.all([
      reseal(data.db),
      ...ids.map((id) => world.payments.process(id).catch(() => {})),
      ...ids.map(() => world.order(persons)),
    ]);
    expect(resealed.unreadable).toBe(0);
    expect(Object.keys(await keysInUse())).toEqual(['a']);
    for (const id of ids) expect(await world.paymentOf(id)).toMatchObject(opened);
    expect(await listLeads(data.db)).toMatchObject([
      { full_name: 'Rasoa', contact_number: '0390000123', address: { city: 'antananarivo', street1: 'Lot II' } },
    ]);
    const { rows } = await sql<{ all: string }>`select concat(
      (select string_agg(payments::text, '') from payments), (select string_agg(leads::text, '') from leads),
      (select string_agg(encode(body, 'escape') || headers, '') from callbacks),
      (select string_agg(pin_attempts::text, '') from pin_attempts)) as all`.execute(database.db);
    expect(rows[0]?.all).not.toMatch(/390000123|390000124|client@|PA1000000001|INV-77|Rasoa|pay\.example|Lot II/);

    await sql`update payments set msisdn = '0390000999' where id = ${ids[0]}`.execute(database.db);
    const restarted = openedWith(key('a'));
    await checkKeys(restarted.db);
    await expect(paymentsWorld(restarted).paymentOf(ids[0] ?? '')).rejects.toThrow('in clear');
    await expect(world.paymentOf(ids[0] ?? '')).rejects.toThrow('in clear');
  });

  test('gets its newest rows encrypted first, before the portal serves requests', async () => {
    await checkKeys(data.db);
    await sql`update payments set created_at = '2025-01-01' where id = ${ids[0]}`.execute(database.db);
    await reseal(data.db, { since: new Date('2026-03-01') });
    const { rows } = await sql<{ id: string }>`select id from payments where msisdn_hash is null`.execute(database.db);
    expect(rows).toEqual([{ id: ids[0] }]);
    // The list of keys still says that other values are in clear.
    await checkKeys(openedWith(key('a')).db);
    expect(await keysInUse()).toMatchObject({ clear: expect.any(Number) });
    await reseal(data.db);
    expect(Object.keys(await keysInUse())).toEqual(['a']);
  });

  test('keeps the PIN attempts of a wallet, and the newer counter where there are two', async () => {
    await checkKeys(data.db);
    await reseal(data.db);
    const wallets = () =>
      sql<{ wallet: string; wrong: number }>`select wallet, wrong from pin_attempts`.execute(data.db);
    const [hidden] = (await wallets()).rows;
    expect(hidden).toEqual({ wallet: expect.stringMatching(/^p1\.[\w-]{22}$/), wrong: 3 });
    await sql`insert into pin_attempts (wallet, wrong, changed_at) values ('wallet:0390000123', 1, now())`.execute(
      data.db,
    );
    await reseal(data.db);
    expect((await wallets()).rows).toEqual([hidden]);
  });
});
