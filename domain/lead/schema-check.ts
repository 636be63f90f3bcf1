import type { FormAction, FormField, FormSchema } from './form-schema.ts';
import { compilePattern } from './linear-time-regex.ts';

const fieldTypes = ['text', 'email', 'tel', 'number', 'date', 'select', 'checkbox'] as const;

type SchemaFaultCode =
  | 'notForm'
  | 'badName'
  | 'noLabel'
  | 'noRank'
  | 'unknownType'
  | 'optionsWithoutValue'
  | 'noOptions'
  | 'badPattern'
  | 'badLength'
  | 'actionIncomplete'
  | 'twice';

/** An error in a schema and its path. */
export interface SchemaFault {
  at: string;
  code: SchemaFaultCode;
  parameters?: Readonly<Record<string, string | number>>;
  says: string;
}

/** The errors in an editor's schema, as sentences; empty if it may be shown. */
export const schemaProblems = (given: unknown): string[] => schemaFaults(given).map(({ says }) => says);

/** The same with the path of each: `fields[0].label`. */
export function schemaFaults(given: unknown): SchemaFault[] {
  if (!isRecord(given) || !Array.isArray(given.fields) || !Array.isArray(given.actions))
    return [{ at: '', code: 'notForm', says: 'A form schema has a list of fields and a list of actions.' }];
  const fields = given.fields as unknown[];
  const actions = given.actions as unknown[];
  return [
    ...fields.flatMap(fieldFaults),
    ...actions.flatMap(actionFaults),
    ...repeated('fields', fields, 'name', 'Two fields are named'),
    ...repeated('fields', fields, 'rank', 'Two fields have the rank'),
    ...repeated('actions', actions, 'rank', 'Two actions have the rank'),
  ];
}

/** Null if it is invalid. */
export function readFormSchema(given: unknown): FormSchema | null {
  return schemaProblems(given).length === 0 ? (given as FormSchema) : null;
}

function fieldFaults(field: unknown, index: number): SchemaFault[] {
  const [at, where] = [`fields[${index}]`, `field ${index + 1}`];
  if (!isRecord(field)) return [{ at, code: 'notForm', says: `The ${where} is no field.` }];
  const { name, label, type, rank, pattern, options } = field as Partial<FormField>;
  const faults: SchemaFault[] = [];
  const refuse = (isWrong: boolean, key: keyof FormField, code: SchemaFaultCode, says: string) => {
    if (isWrong) faults.push({ at: `${at}.${key}`, code, says });
  };
  refuse(typeof name !== 'string' || !/^[A-Za-z]\w{0,39}$/.test(name), 'name', 'badName', `The ${where} needs a name.`);
  refuse(typeof label !== 'string' || label === '', 'label', 'noLabel', `The ${where} needs a label.`);
  refuse(typeof rank !== 'number', 'rank', 'noRank', `The ${where} needs a rank.`);
  refuse(
    !fieldTypes.some((one) => one === type),
    'type',
    'unknownType',
    `The ${where} is of the unknown type "${String(type)}".`,
  );
  refuse(
    type === 'select' && options !== undefined && !(Array.isArray(options) && options.every(isOption)),
    'options',
    'optionsWithoutValue',
    `The ${where} has options without a value.`,
  );
  // Towns are fetched with the page; every other select must have its own options.
  refuse(
    type === 'select' && options === undefined && name !== 'town',
    'options',
    'noOptions',
    `The ${where} has no options to choose from.`,
  );
  refuse(
    pattern !== undefined && !isPattern(pattern),
    'pattern',
    'badPattern',
    `The pattern of the ${where} cannot be used.`,
  );
  for (const key of ['minLength', 'maxLength'] as const) {
    const length: unknown = field[key];
    const isLength = length === undefined || (Number.isInteger(length) && (length as number) >= 0);
    refuse(!isLength, key, 'badLength', `A length of the ${where} is no number.`);
  }
  return faults;
}

function actionFaults(action: unknown, index: number): SchemaFault[] {
  const [at, where] = [`actions[${index}]`, `action ${index + 1}`];
  if (!isRecord(action)) return [{ at, code: 'notForm', says: `The ${where} is no action.` }];
  const { type, label, rank } = action as Partial<FormAction>;
  const isWhole = typeof type === 'string' && typeof label === 'string' && label !== '' && typeof rank === 'number';
  return isWhole ? [] : [{ at, code: 'actionIncomplete', says: `The ${where} needs a type, a label and a rank.` }];
}

function isPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && compilePattern(pattern) !== null;
}

const isOption = (option: unknown) => isRecord(option) && typeof option.value === 'string' && option.value !== '';

function repeated(list: string, items: unknown[], key: string, sentence: string): SchemaFault[] {
  const values = items.map((item) => (isRecord(item) ? item[key] : undefined));
  const isLater = (value: unknown, index: number) => value !== undefined && values.indexOf(value) !== index;
  const twice = new Map(values.flatMap((value, index) => (isLater(value, index) ? [[value, index] as const] : [])));
  return [...twice].map(([value, index]) => ({
    at: `${list}[${index}].${key}`,
    code: 'twice',
    parameters: { value: String(value) },
    says: `${sentence} ${String(value)}.`,
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
