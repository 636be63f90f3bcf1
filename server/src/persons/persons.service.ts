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
import type { Approvable, Fact } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { ConsoleRefusal } from '../console/console.service.ts';
import { personPseudonym } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import type { Person, StoredRow } from './persons.store.ts';
import * as store from './persons.store.ts';

export type { StoredRow } from './persons.store.ts';

export type Persons = ReturnType<typeof createPersons>;

interface Dependencies {
  db: Kysely<Schema>;
  audit: Pick<Audit, 'write'>;
  pack: OperatorPack;
  gateways: readonly string[];
  now: () => Date;
}

/** How many rows of one table are stored. */
export interface TableSum {
  table: string;
  count: number;
  oldest: string;
  ending: 'deleted' | 'takenOut';
  open: number;
}

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

  async function sums(person: Person): Promise<TableSum[]> {
    const held = await rowsAbout(db, person);
    return store.personalTables.flatMap((table) => {
      const rows = held.filter((one) => one.table === table);
      if (rows.length === 0) return [];
      return {
        table,
        count: rows.length,
        oldest: new Date(Math.min(...rows.map(({ at }) => at.getTime()))).toISOString(),
        ending: store.periodOf(table).ending === 'the row is deleted' ? ('deleted' as const) : ('takenOut' as const),
        open: rows.filter(({ isOpen }) => isOpen).length,
      };
    });
  }

  const line = (what: string, detail: string): Fact => ({ what, detail, amount: null, currency: null });

  /** Erasure needs approval: the person is stored encrypted with the proposal until it is decided. */
  const erasures: Approvable = {
    propose: 'erase.propose',
    approve: 'erase.approve',
    nameOf({ about }) {
      const person = about && personIn(about);
      return person ? masked(person) : null;
    },
    async evidence({ about }) {
      const person = about && personIn(about);
      if (!person) return [];
      const held = await sums(person);
      const open = held.reduce((sum, one) => sum + one.open, 0);
      return [
        line('person', masked(person)),
        ...held
          .filter(({ table }) => table !== 'approvals')
          .map(({ table, count }) => line(`held.${table}`, String(count))),
        ...(open > 0 ? [line('open', String(open))] : []),
      ];
    },
    async carryOut({ about, subject_id, reason }, by, decide) {
      const person = about && personIn(about);
      if (!person || hashOf(person) !== subject_id) throw new ConsoleRefusal('proposalChanged');
      await db.transaction().execute(async (transaction) => {
        await decide(transaction);
        const held = await rowsAbout(transaction, person);
        const erased = await store.erase(transaction, held, now());
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
    sums,
    named: (text: string) => {
      const person = existing(text);
      return { person, hash: hashOf(person), masked: masked(person) };
    },
    held: (person: Person): Promise<StoredRow[]> => rowsAbout(db, person),
  };
}
