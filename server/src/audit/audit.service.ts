import type { AuditAct, AuditSaid } from '@portal/contract/console/acts.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import { withoutPersons } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type AuditRow = Selectable<Schema['audit']>;

/** The actor: a person of the console, or the user of a command. */
export interface Actor {
  /** Their email, or the name they gave; null if unknown. */
  person: string | null;
  roles: readonly string[];
  address: string | null;
  /** Set on approval of another person's proposal: the reason is in the proposer's row. */
  approved?: { proposal: string; proposer: string };
}

/** What was done to what, and why. It must not identify a customer, since it is never changed or deleted. */
export interface Act {
  act: AuditAct;
  subject: { kind: string; id: string };
  before?: AuditSaid | undefined;
  after?: AuditSaid | undefined;
  reason?: string | undefined;
}

export interface AuditFilter {
  /** Rows older than this number. */
  before?: number | undefined;
  person?: string | undefined;
  act?: string | undefined;
  /** The id of its subject, or any of several. */
  about?: string | readonly string[] | undefined;
  /** Written at this moment or later. */
  from?: Date | undefined;
  /** Written before this moment. */
  until?: Date | undefined;
}

/** The first row that was altered, and how. */
export interface AuditVerdict {
  rows: number;
  head: string;
  problem: { number: number; what: 'changed' | 'missing' | 'inserted' } | null;
}

const sameLookMs = 15 * 60_000;
const mostLooks = 10_000;
const exportRows = 500;

export type Audit = ReturnType<typeof createAudit>;

export function createAudit(db: Executor, now: () => Date) {
  /** Runs in the transaction of the act: without an audit row there is no act. */
  async function write(transaction: Executor, actor: Actor, { act, subject, ...given }: Act) {
    const { person, roles, address, approved } = actor;
    const said = approved ? { ...given, after: { ...given.after, ...approved }, reason: undefined } : given;
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

  async function list(
    most: number,
    { before, person, act, about, from, until }: AuditFilter = {},
  ): Promise<AuditRow[]> {
    let rows = db.selectFrom('audit').selectAll();
    if (before !== undefined) rows = rows.where('number', '<', before);
    if (person !== undefined) rows = rows.where('person', '=', person);
    if (act !== undefined) rows = rows.where('act', '=', act);
    if (about !== undefined) rows = rows.where('subject_id', 'in', [about].flat());
    if (from !== undefined) rows = rows.where('at', '>=', from);
    // Row numbers follow the times of writing, give or take a moment.
    if (until !== undefined) rows = rows.where('at', '<', until);
    return rows.orderBy('number', 'desc').limit(most).execute();
  }

  /** Recent reads in this process, oldest first. */
  const looked = new Map<string, number>();

  return {
    write,

    /** For reads of personal data: written before it is shown. */
    writeSeen: (actor: Actor, act: Act): Promise<void> => write(db, actor, act),

    /** For reads that a page repeats: within a quarter of an hour they count as one. */
    async writeLooked(actor: Actor, act: Act): Promise<void> {
      const look = JSON.stringify([actor.person, actor.address, act]);
      const at = now().getTime();
      if ((looked.get(look) ?? Number.NEGATIVE_INFINITY) > at - sameLookMs) return;
      await write(db, actor, act);
      looked.delete(look);
      looked.set(look, at);
      for (const [oldest, when] of looked) {
        if (looked.size <= mostLooks && when > at - sameLookMs) break;
        looked.delete(oldest);
      }
    },

    /** Newest first, a few hundred rows in memory at a time. */
    async *each(filter: Omit<AuditFilter, 'before'>): AsyncGenerator<AuditRow> {
      let before: number | undefined;
      do {
        const rows = await list(exportRows, { ...filter, before });
        yield* rows;
        before = rows.length === exportRows ? rows.at(-1)?.number : undefined;
      } while (before !== undefined);
    },

    list,

    /** Verifies the whole chain. Its head has to be compared with the published ones in the log. */
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
