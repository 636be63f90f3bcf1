import { type Kysely, sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Schema } from './schema.ts';

/**
 * One continuous run of the database. After a restore or failover, work begun in an earlier epoch may have continued in
 * changes that are now lost.
 */
export interface Epoch {
  number: number;
  beganAt: Date;
  /** Committed changes may be lost; false if the server was only restarted. */
  isRestored: boolean;
  openPayments: number;
}

export interface Epochs {
  current(): Promise<Epoch>;
  /** Compares the server with the one seen last and begins a new epoch if they differ. */
  check(): Promise<Epoch>;
}

/** After a longer gap without contact, the disk may have been replaced by an older copy. */
const maxGapSeconds = 300;

const columns = sql`number, began_at as "beganAt", is_restored as "isRestored", open_payments as "openPayments"`;

/** `began` runs once for each new epoch, in the transaction that begins it. */
export function createEpochs(
  db: Kysely<Schema>,
  clock: Pick<Clock, 'inSql'>,
  began: (transaction: Kysely<Schema>, epoch: Epoch) => Promise<void> = async () => {},
): Epochs {
  let known: Epoch | undefined;

  async function seen(): Promise<Epoch | undefined> {
    const { rows } = await sql<Epoch>`
      update epochs set seen_at = ${clock.inSql()}
      where number = (select max(number) from epochs) and server = portal_server() returning ${columns}`.execute(db);
    return rows[0];
  }

  async function begin(): Promise<Epoch> {
    return db.transaction().execute(async (transaction) => {
      // One process begins the epoch; the others wait for the lock and find it.
      await sql`lock table epochs in exclusive mode`.execute(transaction);
      const { rows } = await sql<Epoch>`
        insert into epochs (number, server, began_at, seen_at, is_restored, open_payments)
        select number + 1, portal_server(), now, now,
          regexp_replace(server, ' [^ ]+$', '') <> regexp_replace(portal_server(), ' [^ ]+$', '')
            or seen_at not between now - make_interval(secs => ${maxGapSeconds}) and now,
          (select count(*) from payments where state not in ('SUCCEEDED', 'FAILED', 'REFUNDED', 'REVIEW'))
        from epochs, (select ${clock.inSql()} as now) clock where number = (select max(number) from epochs) and server <> portal_server()
        returning ${columns}`.execute(transaction);
      const [epoch] = rows;
      if (epoch) await began(transaction, epoch);
      return epoch ?? (await newest(transaction));
    });
  }

  async function newest(transaction: Kysely<Schema>): Promise<Epoch> {
    const { rows } = await sql<Epoch>`select ${columns} from epochs order by epochs.number desc limit 1`.execute(
      transaction,
    );
    return rows[0] as Epoch;
  }

  async function check(): Promise<Epoch> {
    known = (await seen()) ?? (await begin());
    return known;
  }

  return { check, current: async () => known ?? check() };
}
