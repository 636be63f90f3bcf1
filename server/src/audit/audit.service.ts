import type { AuditAct } from '@portal/contract/console/acts.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import { withoutPersons } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type AuditRow = Selectable<Schema['audit']>;

/** Whoever acts: a person of the console, or a command that somebody ran. */
export interface Actor {
  /** Their email, or the name they gave; null where nobody could be told. */
  person: string | null;
  roles: readonly string[];
  address: string | null;
}

/** What was done to what, and why. Nothing in it may name a customer: it is never changed or deleted. */
export interface Act {
  act: AuditAct;
  subject: { kind: string; id: string };
  before?: unknown;
  after?: unknown;
  reason?: string | undefined;
}

export interface AuditFilter {
  /** Rows older than this number. */
  before?: number | undefined;
  person?: string | undefined;
  act?: string | undefined;
  /** The id of what it was done to. */
  about?: string | undefined;
  /** Written before this moment. */
  until?: Date | undefined;
}

/** What was found wrong with the first row that is not as it was written. */
export interface AuditVerdict {
  rows: number;
  head: string;
  problem: { number: number; what: 'changed' | 'missing' | 'inserted' } | null;
}

export type Audit = ReturnType<typeof createAudit>;

export function createAudit(db: Executor, now: () => Date) {
  /** In the transaction of the act: what was not written down was not done. */
  async function write(transaction: Executor, { person, roles, address }: Actor, { act, subject, ...said }: Act) {
    const stored = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
    await transaction
      .insertInto('audit')
      .values({
        at: now(),
        person,
        roles: [...roles],
        act,
        subject_kind: subject.kind,
        subject_id: subject.id,
        before: stored(said.before),
        after: stored(said.after),
        reason: said.reason === undefined ? null : withoutPersons(said.reason),
        from_address: address,
      })
      .execute();
  }

  return {
    write,

    /** Of what changes nothing and shows somebody: before it is shown. */
    writeSeen: (actor: Actor, act: Act): Promise<void> => write(db, actor, act),

    async list(most: number, { before, person, act, about, until }: AuditFilter = {}): Promise<AuditRow[]> {
      let rows = db.selectFrom('audit').selectAll();
      if (before !== undefined) rows = rows.where('number', '<', before);
      if (person !== undefined) rows = rows.where('person', '=', person);
      if (act !== undefined) rows = rows.where('act', '=', act);
      if (about !== undefined) rows = rows.where('subject_id', '=', about);
      // Numbers follow the times at which rows were written, give or take a moment.
      if (until !== undefined) rows = rows.where('at', '<', until);
      return rows.orderBy('number', 'desc').limit(most).execute();
    },

    /** The whole chain, from its first row. Its head is compared with what was published by whoever reads the log. */
    async verify(executor: Executor = db): Promise<AuditVerdict> {
      const { rows } = await sql<{ number: number; what: 'changed' | 'missing' | 'inserted' }>`
        select number, case
            when row_hash <> audit_hash(audit) then 'changed'
            when number <> place then 'missing'
            else 'inserted' end as what
        from (select audit, number, row_hash, prev_hash, row_number() over (order by number) as place,
            coalesce(lag(row_hash) over (order by number), '') as before from audit) as chain
        where row_hash <> audit_hash(audit) or number <> place or prev_hash <> before
        order by number limit 1`.execute(executor);
      const head = await executor
        .selectFrom('audit')
        .select(['number', 'row_hash'])
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      return { rows: head?.number ?? 0, head: head?.row_hash ?? '', problem: rows[0] ?? null };
    },
  };
}
