import { createRequire } from 'node:module';
import pg from 'pg';

type Answered = (error: Error | null, answer: pg.QueryResult) => void;
type Read = (text: string) => unknown;

/** pg's conversion of a value to text. Its types do not declare it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue(value: unknown): string | Buffer | null;
};

/** Parts of pg's connection that its types do not declare. */
interface Connection {
  stream: { write(bytes: Buffer): void };
  parsedStatements: Record<string, string>;
}
interface Columns {
  fields: { name: string; dataTypeID: number }[];
  reads: Read[];
  empty: Record<string, null>;
}

/** A statement text with its name, which is the same on every connection. */
interface Prepared {
  name: string;
  text: string;
  /** Its columns; null until the server has described them. */
  columns: Columns | null;
  isDescribed: boolean;
}

const preparedByText = new Map<string, Prepared>();

function preparedOf(text: string): Prepared {
  let known = preparedByText.get(text);
  if (!known) {
    known = { name: `s${preparedByText.size}`, text, columns: null, isDescribed: false };
    preparedByText.set(text, known);
  }
  return known;
}

/** The bytes of the next write; copied once it is complete. */
let bytes = Buffer.allocUnsafe(64 * 1024);
let length = 0;

function makeRoom(more: number): void {
  if (length + more <= bytes.length) return;
  const larger = Buffer.allocUnsafe(2 * (length + more));
  bytes.copy(larger, 0, 0, length);
  bytes = larger;
}

const writeInt16 = (value: number) => {
  bytes[length] = value >> 8;
  bytes[length + 1] = value;
  length += 2;
};
const writeInt32At = (at: number, value: number) => {
  bytes[at] = value >> 24;
  bytes[at + 1] = value >> 16;
  bytes[at + 2] = value >> 8;
  bytes[at + 3] = value;
};
const writeInt32 = (value: number) => {
  writeInt32At(length, value);
  length += 4;
};
const writeText = (text: string) => {
  makeRoom(3 * text.length + 1);
  length += bytes.write(text, length, 'utf8');
};
const writeCString = (text: string) => {
  writeText(text);
  bytes[length] = 0;
  length += 1;
};

/** A message of the protocol: its letter, its length, and what `write` writes. */
function writeMessage(letter: string, write: () => void): void {
  makeRoom(16);
  bytes[length] = letter.charCodeAt(0);
  const start = length + 1;
  length += 5;
  write();
  writeInt32At(start, length - start);
}

function writeParse({ name, text }: Prepared): void {
  writeMessage('P', () => {
    writeCString(name);
    writeCString(text);
    makeRoom(2);
    writeInt16(0);
  });
}

function writeBind(name: string, values: readonly unknown[]): void {
  writeMessage('B', () => {
    writeCString('');
    writeCString(name);
    makeRoom(8 + 6 * values.length);
    writeInt16(values.length);
    const formats = length;
    bytes.fill(0, formats, formats + 2 * values.length);
    length += 2 * values.length;
    writeInt16(values.length);
    values.forEach((value, index) => {
      writeValue(value, formats + 2 * index + 1);
    });
    makeRoom(2);
    writeInt16(0);
  });
}

function writeValue(value: unknown, format: number): void {
  const text =
    typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : prepareValue(value ?? null);
  makeRoom(4);
  if (text === null) {
    writeInt32(-1);
    return;
  }
  const start = length;
  length += 4;
  if (typeof text === 'string') writeText(text);
  else {
    bytes[format] = 1;
    makeRoom(text.length);
    length += text.copy(bytes, length);
  }
  writeInt32At(start, length - start - 4);
}

const describe = Buffer.from('D\0\0\0\x06P\0', 'latin1');
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1');
const sync = Buffer.from('S\0\0\0\x04', 'latin1');
const writeBytes = (message: Buffer) => {
  makeRoom(message.length);
  length += message.copy(bytes, length);
};

/** A cache of parsed command tags such as `UPDATE 1`, of which there are few. */
const tags = new Map<string, { command: string; rowCount: number | null }>();
function tagOf(text: string) {
  let tag = tags.get(text);
  if (!tag) {
    const words = text.split(' ');
    const count = Number(words.at(-1));
    tag = { command: words[0] ?? '', rowCount: words.length > 1 && Number.isInteger(count) ? count : null };
    tags.set(text, tag);
  }
  return tag;
}

const begin = preparedOf('begin');

/**
 * A prepared statement, sent in one write and described once. pg's own query allocates a buffer for each message, and
 * requests the column descriptions every time.
 */
class Statement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly callback: Answered;
  readonly #prepared: Prepared;
  readonly #values: readonly unknown[];
  readonly #rows: unknown[] = [];
  #tag: { command: string; rowCount: number | null } = { command: '', rowCount: null };
  #pendingBegins: number;
  #error: Error | null = null;

  constructor(prepared: Prepared, values: readonly unknown[], isFirst: boolean, callback: Answered) {
    ({ name: this.name, text: this.text } = prepared);
    this.#prepared = prepared;
    this.#values = values;
    this.#pendingBegins = isFirst ? 1 : 0;
    this.callback = callback;
  }

  submit(connection: unknown): void {
    const { stream, parsedStatements } = connection as Connection;
    length = 0;
    if (this.#pendingBegins) {
      writeBind(begin.name, []);
      writeBytes(execute);
    }
    if (parsedStatements[this.name] === undefined) writeParse(this.#prepared);
    writeBind(this.name, this.#values);
    if (!this.#prepared.isDescribed) writeBytes(describe);
    writeBytes(execute);
    writeBytes(sync);
    stream.write(Buffer.from(bytes.subarray(0, length)));
  }

  handleRowDescription({ fields }: Pick<Columns, 'fields'>): void {
    this.#prepared.columns = {
      fields,
      reads: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as Read),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const { columns } = this.#prepared;
    if (!columns) throw new Error(`nobody has described ${this.text}`);
    const row: Record<string, unknown> = { ...columns.empty };
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (value != null) row[columns.fields[index]?.name ?? ''] = columns.reads[index]?.(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#pendingBegins) {
      this.#pendingBegins = 0;
      return;
    }
    this.#tag = tagOf(text);
    this.#prepared.isDescribed = true;
  }

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.#error = error;
    this.callback(error, undefined as never);
  }

  handleReadyForQuery(): void {
    if (this.#error) return;
    const { command, rowCount } = this.#tag;
    const fields = (this.#prepared.columns?.fields ?? []) as pg.FieldDef[];
    this.callback(null, { command, rowCount, oid: 0, fields, rows: this.#rows as never[] });
  }
}

/**
 * The same few statements run hundreds of thousands of times on tables that never change, so each is planned and
 * described once. `begin` is sent in the same write as the first statement, which saves a round trip.
 */
export class StatementClient extends pg.Client {
  #isBegun = false;
  #isBeginKnown = false;

  override query = ((...parameters: unknown[]): unknown => {
    const [text, values] = parameters;
    if (typeof text !== 'string' || !Array.isArray(values) || text.includes(';')) {
      if (this.#isBegun) this.#send(begin, [], false).catch(() => {});
      this.#isBegun = false;
      return (pg.Client.prototype.query as (...parameters: unknown[]) => unknown).apply(this, parameters);
    }
    if (text === 'begin' && this.#isBeginKnown) {
      this.#isBegun = true;
      return Promise.resolve(nothingFrom('BEGIN'));
    }
    const isFirst = this.#isBegun;
    this.#isBegun = false;
    if (isFirst && (text === 'commit' || text === 'rollback')) return Promise.resolve(nothingFrom(text.toUpperCase()));
    if (text === 'begin') this.#isBeginKnown = true;
    return this.#send(preparedOf(text), values, isFirst);
  }) as pg.Client['query'];

  #send(known: Prepared, values: readonly unknown[], isFirst: boolean): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const answered: Answered = (error, answer) => (error ? reject(error) : resolve(answer));
      (pg.Client.prototype.query as (statement: Statement) => unknown).call(
        this,
        new Statement(known, values, isFirst, answered),
      );
    });
  }
}

const nothingFrom = (command: string): pg.QueryResult => ({ command, rowCount: null, oid: 0, fields: [], rows: [] });
