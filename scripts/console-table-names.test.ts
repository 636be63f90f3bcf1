import { expect, test } from 'vitest';
import { detailName } from '../console/src/lib/audit-details.ts';
import { leadColumnTexts } from '../console/src/lib/lead-columns.ts';
import { en } from '../console/src/texts/en.ts';
import { fr } from '../console/src/texts/fr.ts';
import { mg } from '../console/src/texts/mg.ts';
import { leadColumns } from '../server/src/leads/leads.csv.ts';
import { contextColumns, periodOf, personalTables } from '../server/src/persons/persons.store.ts';

/** Tables about the operator's people are never searched for a customer. */
const ownPeople = 'console_sessions';

test.each(Object.entries({ en, fr, mg }))(
  'in %s the audit calls each table that a search or an erasure counts by words',
  (_language, texts) => {
    const sayOr = (key: string) => (texts as Record<string, string>)[key] ?? key.split('.').slice(1).join(' ');
    const names = personalTables.filter((table) => table !== ownPeople).map((table) => detailName(table, sayOr));
    expect(names.filter((name) => (personalTables as string[]).includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(detailName('erased', sayOr)).toBe(texts['detail.erased']);
  },
);

test.each(Object.entries({ en, fr, mg }))(
  'in %s every field that is handed to a person has a name',
  (_language, texts) => {
    const tables = personalTables.filter((table) => table !== ownPeople);
    const fields = tables.flatMap((table) => [...(contextColumns[table] ?? []), ...periodOf(table).personal]);
    expect([...new Set(fields)].filter((name) => !(`heldField.${name}` in texts))).toEqual([]);
  },
);

test('every column of the exported leads has a name in the console', () => {
  expect(Object.keys(leadColumnTexts)).toEqual(leadColumns);
});
