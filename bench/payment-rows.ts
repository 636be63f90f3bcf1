import pg from 'pg';
import { derivedKey, openColumns, PersonalData, sealColumns } from '../server/src/db/personal-data.ts';

/** The secret of the measured portal, used to create rows that it can decrypt. */
export const benchSecret = 'a secret for measurements, long enough to be one';

export type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** Copies the rows of a real payment: three inserts in a transaction, with a new `:number` each time. */
export async function writingStatements(query: Query): Promise<string[]> {
  const literal = (value: unknown) => {
    if (value === null) return 'null';
    const text =
      value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return pg.escapeLiteral(text);
  };
  const insert = (table: string, row: Record<string, unknown>, other: Record<string, string>) => {
    const columns = Object.keys(row);
    const values = columns.map((column) => other[column] ?? literal(row[column]));
    return `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')});`;
  };
  const rowOf = async (table: string) => (await query(`select * from ${table} limit 1`))[0] ?? {};
  const [payment, key, history] = [
    await rowOf('payments'),
    await rowOf('idempotency_keys'),
    await rowOf('payment_history'),
  ];
  const id = "lpad(:number::text, 26, 'a')";
  return [
    'begin;',
    insert('idempotency_keys', key, { key: id, payment_id: id }),
    insert('payments', payment, { id, short_reference: "lpad(:number::text, 19, '0')" }),
    insert('payment_history', history, { payment_id: id }),
    'commit;',
  ];
}

/** Payments with ids that SQL, Lua and TypeScript can all compute: letters for the digits of a number. */
export const statusPayments = 5_000;
const alphabet = 'abcdefghjk';
const letters = (number: string) => `lpad(translate(${number}::text, '0123456789', '${alphabet}'), 26, 'z')`;
export const statusPaymentId = (number: number): string =>
  String(number)
    .replace(/\d/g, (digit) => alphabet[Number(digit)] ?? '')
    .padStart(26, 'z');

export async function storeStatusPayments(query: Query, like = 'true'): Promise<void> {
  const [model = {}] = await query(`select * from payments where ${like} limit 1`);
  const copied = (table: string, key: string, other: Record<string, string>) => `
    insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(
      ${Object.entries(other)
        .flatMap(([name, value]) => [`'${name}'`, value])
        .join(', ')}))).*
    from ${table} one, generate_series(1, ${statusPayments}) n where one.${key} = ${pg.escapeLiteral(String(model.id))}`;
  await query(copied('payments', 'id', { id: letters('n'), short_reference: "'look' || n" }));
  await query(copied('payment_history', 'payment_id', { payment_id: letters('n') }));
  await query('analyze');
  // Personal data is bound to its row, so each copy is encrypted separately.
  const data = new PersonalData({ keys: [{ id: derivedKey, secret: benchSecret }], secret: benchSecret });
  const columns = ['msisdn', 'payer_msisdn', 'email'];
  const opened = openColumns(data, 'payments', model, Object.fromEntries(columns.map((name) => [name, model[name]])));
  const copies = Array.from({ length: statusPayments }, (_, index) => ({ ...opened, id: statusPaymentId(index + 1) }));
  const rows = copies.map((copy): Record<string, unknown> => sealColumns(data, 'payments', copy, copy));
  const values = rows.map((row) => {
    const texts = ['id', ...columns].map((name) => (row[name] === null ? 'null' : pg.escapeLiteral(String(row[name]))));
    return `(${texts.join(', ')})`;
  });
  await query(`update payments set ${columns.map((name) => `${name} = sealed.${name}::text`).join(', ')}
    from (values ${values.join(', ')}) as sealed (id, ${columns.join(', ')}) where payments.id = sealed.id`);
  await query('vacuum analyze payments');
}

/** `:number` is the number of a stored payment. */
export const readingStatement = `select *, (select json_agg(json_build_object('to', to_state, 'event', event, 'at', at) order by version)
  from payment_history where payment_id = payments.id) from payments
where id = ${letters(':number')};`;
