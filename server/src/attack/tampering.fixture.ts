import type { CallName } from '@portal/contract/calls.ts';
import { contract } from '@portal/contract/contract.ts';
import type { CallDefinition } from '@portal/contract/define-call.ts';
import { z } from 'zod';

/** One alteration of a request body, with a description. */
export interface Tampered {
  what: string;
  readonly body: unknown;
}

/** Bodies are built lazily: only the one that is sent gets copied. */
const tampered = (what: string, make: () => unknown): Tampered => ({
  what,
  get body() {
    return make();
  },
});

type Path = readonly string[];

/** Every field of a call at any depth, from the contract, so that new fields are included automatically. */
export function fieldsOf(name: CallName): Path[] {
  const definition: CallDefinition = contract[name];
  return definition.body ? leavesOf(definition.body) : [];
}

function leavesOf(schema: z.ZodType, path: Path = []): Path[] {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject)) return path.length > 0 ? [path] : [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, field]) =>
    leavesOf(field, [...path, key]),
  );
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}

const anotherType: readonly unknown[] = [null, 0, true, [], {}, ['0390000099']];

/** `others` are valid values of other persons, by field name. */
export function tamperings(
  name: CallName,
  honest: object,
  others: Readonly<Record<string, readonly unknown[]>>,
  { inPairs = true } = {},
) {
  const fields = fieldsOf(name);
  const values = fields.map((path) => {
    const field = path.at(-1) ?? '';
    const own = at(honest, path);
    const siblings = fields
      .filter((other) => other.join() !== path.join())
      .map((other) => at(honest, other))
      .filter((value) => value !== undefined && value !== '' && value !== own);
    return { path, own, others: others[field] ?? [], siblings };
  });
  const single = values.flatMap(({ path, own, others: foreign, siblings }) => {
    const name = path.join('.');
    const set = (what: string, value: unknown) => tampered(`${name} ${what}`, () => replaced(honest, path, value));
    return [
      ...(own === undefined ? [] : [tampered(`${name} absent`, () => without(honest, path))]),
      set('empty', ''),
      ...foreign.map((value) => set(`= ${value}`, value)),
      ...anotherType.map((value) => set(`of another type: ${JSON.stringify(value)}`, value)),
      ...siblings.map((value) => set(`= a sibling's ${String(value).slice(0, 20)}`, value)),
    ];
  });
  const foreign = values.flatMap(({ path, others: list }) => list.map((value) => ({ path, value })));
  const pairs = foreign.flatMap((one, index) =>
    foreign
      .slice(index + 1)
      .filter((other) => other.path !== one.path)
      .map((other) =>
        tampered(`${one.path.join('.')} = ${one.value}, ${other.path.join('.')} = ${other.value}`, () =>
          replaced(replaced(honest, one.path, one.value), other.path, other.value),
        ),
      ),
  );
  return [...single, ...(inPairs ? pairs : [])];
}

function at(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

function replaced(body: unknown, path: Path, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) {
    if (typeof holder[key] !== 'object' || holder[key] === null) holder[key] = {};
    holder = holder[key] as Record<string, unknown>;
  }
  holder[path.at(-1) ?? ''] = value;
  return copy;
}

function without(body: unknown, path: Path): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  let holder: Record<string, unknown> | undefined = copy;
  for (const key of path.slice(0, -1)) holder = holder?.[key] as Record<string, unknown> | undefined;
  if (holder) delete holder[path.at(-1) ?? ''];
  return copy;
}
