import type { Held } from '@portal/contract/console/persons.ts';
import { isEmail, maskEmail } from '@portal/domain/email.ts';
import {
  fromWire,
  isCompleteNational,
  maskNational,
  readPosted,
  toWire,
  type WireNumber,
} from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { Approvable, Approval, Fact } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { ConsoleRefusal } from '../console/console.service.ts';
import { personPseudonym } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import type { Person, StoredRow } from './persons.store.ts';
import * as store from './persons.store.ts';
import { underWayOf } from './under-way.ts';

export type { StoredRow } from './persons.store.ts';

export type Persons = ReturnType<typeof createPersons>;

interface Dependencies {
  db: Kysely<Schema>;
  audit: Pick<Audit, 'write' | 'list'>;
  pack: OperatorPack;
  gateways: readonly string[];
  now: () => Date;
}

/** Of its audit row. */
interface Erased {
  proposal: string;
  erased: Record<string, number>;
  keptWhileOpen: number;
}

/** More than one person is ever erased. */
const mostErasures = 100;

/** Finds and erases all data about a number or an email, in every table with personal data. */
export function createPersons({ db, audit, pack, gateways, now }: Dependencies) {
  const { numbering } = pack;

  function personIn(text: string): Person | null {
    if (isEmail(text)) return { kind: 'email', value: text.toLowerCase() };
    const national = readPosted(text, numbering);
    return isCompleteNational(national, numbering) ? { kind: 'number', value: toWire(national) } : null;
  }

  const existing = (text: string): Person => {
    const person = personIn(text.trim());
    if (!person) throw new ConsoleRefusal('invalid', { field: 'text' });
    return person;
  };

  /** The only identifier that is recorded; it depends on the portal's secret. */
  const hashOf = ({ kind, value }: Person) => personPseudonym(db, kind, value);

  const masked = ({ kind, value }: Person) =>
    kind === 'email' ? maskEmail(value) : maskNational(fromWire(value as WireNumber), numbering.groups);

  const rowsAbout = (executor: Kysely<Schema>, person: Person) => store.rowsAbout(executor, person, { gateways });

  const sums = (rows: readonly StoredRow[]): Held[] =>
    store.personalTables.flatMap((table) => {
      const held = rows.filter((one) => one.table === table);
      if (held.length === 0) return [];
      const { since, ending } = store.periodOf(table);
      const oldest = new Date(Math.min(...held.map(({ at }) => at.getTime()))).toISOString();
      return {
        table,
        count: held.length,
        oldest: ['expires_at', 'ends_at'].includes(since) ? null : oldest,
        ending: ending === 'the row is deleted' ? ('deleted' as const) : ('takenOut' as const),
        open: held.filter(({ isOpen }) => isOpen).length,
      };
    });

  /** How much is held of which kind, what would be erased of it, and what the rest waits for. */
  async function summary(person: Person) {
    const rows = await rowsAbout(db, person);
    return { ...planOf(sums(rows)), all: sums(rows), underWay: await underWayOf(db, rows) };
  }

  /** Without the proposals about the person: deciding one removes the person from it. */
  function planOf(all: readonly Held[]) {
    const held = all.filter(({ table }) => table !== 'approvals');
    const kept = held.reduce((sum, { open }) => sum + open, 0);
    return { held, kept, erased: held.reduce((sum, { count }) => sum + count, 0) - kept };
  }

  const line = (what: string, detail: string | number): Fact => ({
    ...{ what, detail: String(detail), amount: null, currency: null },
  });

  /** What an approved erasure did, from its audit row: the proposal itself names nobody by then. */
  async function done({ id, subject_id }: Approval): Promise<Fact[]> {
    const rows = await audit.list(mostErasures, { act: 'person.erased', about: subject_id });
    const after = rows.map((row) => row.after as unknown as Erased).find(({ proposal }) => proposal === id);
    if (!after) return [];
    const erased = Object.values(after.erased).reduce((sum, count) => sum + count, 0);
    return [line('erased', erased), line('kept', after.keptWhileOpen)];
  }

  /** Erasure needs approval: the person is stored encrypted with the proposal until it is decided. */
  const erasures: Approvable = {
    propose: 'erase.propose',
    approve: 'erase.approve',
    nameOf({ about }) {
      const person = about && personIn(about);
      return person ? masked(person) : null;
    },
    async evidence(approval) {
      const person = approval.about && personIn(approval.about);
      if (!person) return done(approval);
      const { held, erased, kept, underWay } = await summary(person);
      return [
        line('person', masked(person)),
        ...held.map((sum) => ({ ...line(`held.${sum.table}`, sum.count), held: sum })),
        line('toErase', erased),
        { ...line('open', kept), underWay },
      ];
    },
    async carryOut({ about, subject_id, reason }, by, decide) {
      const person = about && personIn(about);
      if (!person || hashOf(person) !== subject_id) throw new ConsoleRefusal('proposalChanged');
      await db.transaction().execute(async (transaction) => {
        await decide(transaction);
        const held = await rowsAbout(transaction, person);
        const erased = await store.erase(transaction, held, now());
        if (Object.keys(erased).length === 0) throw new ConsoleRefusal('nothingToErase');
        await audit.write(transaction, by.actor, {
          act: 'person.erased',
          subject: { kind: 'customer', id: subject_id },
          after: { erased, keptWhileOpen: held.filter(({ isOpen }) => isOpen).length },
          reason,
        });
      });
    },
  };

  return {
    erasures,
    summary,
    named: (text: string) => {
      const person = existing(text);
      return { person, hash: hashOf(person), masked: masked(person) };
    },
    held: (person: Person): Promise<StoredRow[]> => rowsAbout(db, person),
  };
}
