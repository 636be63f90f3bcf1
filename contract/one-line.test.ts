import { oneLine } from '@portal/domain/printable.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { consoleContract } from './console/contract.ts';
import { contract } from './contract.ts';
import type { CallDefinition } from './define-call.ts';

/** The part of a schema's internals that is needed to find its texts. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  options?: z.ZodType[];
  [part: string]: unknown;
}

const inner = ['innerType', 'element', 'keyType', 'valueType', 'in', 'catchall'] as const;

/** Every text that may be sent, by its path. */
function textsOf(schema: z.ZodType, path: string): [path: string, schema: z.ZodType][] {
  const definition = schema._zod.def as unknown as Definition;
  if (definition.type === 'string') return [[path, schema]];
  return [
    ...Object.entries(definition.shape ?? {}).flatMap(([name, each]) => textsOf(each, `${path}.${name}`)),
    ...(definition.options ?? []).flatMap((each) => textsOf(each, path)),
    ...inner.flatMap((name) => (definition[name] ? textsOf(definition[name] as z.ZodType, path) : [])),
  ];
}

const sent = Object.entries(contract).flatMap(([call, definition]: [string, CallDefinition]) =>
  (['body', 'query', 'headers'] as const).flatMap((part) => {
    const schema = definition[part];
    return schema ? textsOf(schema, `${call}.${part}`) : [];
  }),
);

const hostile = [
  '\n',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\u001b[2J',
  '\u009b2J',
  '\u202e',
  '\u2066',
  '\u200b',
];

test('SEC-22 any text in a call is reduced to one printable line', () => {
  expect(sent.length).toBeGreaterThan(100);
  for (const [path, schema] of sent)
    for (const each of hostile)
      for (const text of [`a${each}b`, `0390000001${each}`, `a@b.mg${each}`, each]) {
        const read = schema.safeParse(text);
        if (read.success) expect(read.data, path).toBe(oneLine(String(read.data)));
      }
});

test('SEC-22 a note with a line break is accepted', () => {
  const forged = 'WEBPORTAL\nServed there: yes';
  const source = sent.find(([path]) => path === 'submitLead.body.source')?.[1];
  expect(source?.parse(forged)).toBe('WEBPORTAL Served there: yes');
});

test('every free-text field of a call masks card numbers', () => {
  const written = 'charged twice on 4242 4242 4242 4242';
  const kept = 'charged twice on •••• 4242';
  expect(contract.writeTicket.body.shape.text.parse(written)).toBe(kept);
  expect(contract.saveForm.body.shape.data.parse({ message: written })).toEqual({ message: kept });
  expect(consoleContract.noteLead.body.shape.text.parse(written)).toBe(kept);
  expect(consoleContract.answerTicket.body.shape.text.parse(written)).toBe(kept);
  expect(consoleContract.proposeRefund.body.shape.reason.parse(written)).toBe(kept);
});
