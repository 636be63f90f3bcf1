import type { FormAction, FormField, FormSchema } from './form-schema.ts';
import { compilePattern } from './pattern.ts';

const fieldTypes = ['text', 'email', 'tel', 'number', 'date', 'select', 'checkbox'] as const;

/** What is wrong with a schema that an editor wrote, in sentences; none when it may be shown. */
export function schemaProblems(given: unknown): string[] {
  if (!isRecord(given) || !Array.isArray(given.fields) || !Array.isArray(given.actions))
    return ['A form schema has a list of fields and a list of actions.'];
  const fields = given.fields as unknown[];
  const actions = given.actions as unknown[];
  return [
    ...fields.flatMap((field, index) => fieldProblems(field, `field ${index + 1}`)),
    ...actions.flatMap((action, index) => actionProblems(action, `action ${index + 1}`)),
    ...repeated(fields, 'name', 'Two fields are named'),
    ...repeated(fields, 'rank', 'Two fields have the rank'),
    ...repeated(actions, 'rank', 'Two actions have the rank'),
  ];
}

/** Null when it may not be shown. */
export function readFormSchema(given: unknown): FormSchema | null {
  return schemaProblems(given).length === 0 ? (given as FormSchema) : null;
}

function fieldProblems(field: unknown, where: string): string[] {
  if (!isRecord(field)) return [`The ${where} is no field.`];
  const { name, label, type, rank, pattern, minLength, maxLength, options } = field as Partial<FormField>;
  const problems: string[] = [];
  const refuse = (isWrong: boolean, sentence: string) => {
    if (isWrong) problems.push(sentence);
  };
  refuse(typeof name !== 'string' || !/^[A-Za-z]\w{0,39}$/.test(name), `The ${where} needs a name.`);
  refuse(typeof label !== 'string' || label === '', `The ${where} needs a label.`);
  refuse(typeof rank !== 'number', `The ${where} needs a rank.`);
  refuse(!fieldTypes.some((one) => one === type), `The ${where} is of the unknown type "${String(type)}".`);
  refuse(
    type === 'select' && options !== undefined && !(Array.isArray(options) && options.every(isOption)),
    `The ${where} has options without a value.`,
  );
  // The towns are fetched with the page; every other choice must bring its own.
  refuse(type === 'select' && options === undefined && name !== 'town', `The ${where} has no options to choose from.`);
  refuse(pattern !== undefined && !isPattern(pattern), `The pattern of the ${where} cannot be used.`);
  for (const length of [minLength, maxLength])
    refuse(
      length !== undefined && !(Number.isInteger(length) && length >= 0),
      `A length of the ${where} is no number.`,
    );
  return problems;
}

function actionProblems(action: unknown, where: string): string[] {
  if (!isRecord(action)) return [`The ${where} is no action.`];
  const { type, label, rank } = action as Partial<FormAction>;
  const isWhole = typeof type === 'string' && typeof label === 'string' && label !== '' && typeof rank === 'number';
  return isWhole ? [] : [`The ${where} needs a type, a label and a rank.`];
}

function isPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && compilePattern(pattern) !== null;
}

const isOption = (option: unknown) => isRecord(option) && typeof option.value === 'string' && option.value !== '';

function repeated(items: unknown[], key: string, sentence: string): string[] {
  const values = items.map((item) => (isRecord(item) ? item[key] : undefined)).filter((value) => value !== undefined);
  const twice = new Set(values.filter((value, index) => values.indexOf(value) !== index));
  return [...twice].map((value) => `${sentence} ${String(value)}.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
