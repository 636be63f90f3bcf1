import { isEmail } from '../email.ts';
import type { FormField, FormSchema, FormValue, FormValues } from './form-schema.ts';
import { compilePattern } from './linear-time-regex.ts';

/** A validation error of a field, independent of language. */
export type FieldProblem =
  | { readonly kind: 'required'; readonly label: string }
  | { readonly kind: 'tooShort'; readonly label: string; readonly length: number }
  | { readonly kind: 'tooLong'; readonly label: string; readonly length: number }
  | { readonly kind: 'invalidAddress' }
  | { readonly kind: 'invalidLandmark' }
  | { readonly kind: 'invalid'; readonly label: string }
  | { readonly kind: 'custom'; readonly message: string };

const placeProblems = {
  installationAddress: { kind: 'invalidAddress' },
  landmark: { kind: 'invalidLandmark' },
} as const satisfies Record<string, FieldProblem>;

type PlaceName = keyof typeof placeProblems;

/** Longer texts are refused before a pattern is tried, because its cost grows with the text. */
const longestText = 2000;

export function fieldProblem(field: FormField, value: FormValue | undefined): FieldProblem | null {
  if (field.type === 'checkbox') return null;
  const text = typeof value === 'string' ? value : '';
  if (isPlaceName(field.name)) return placeProblem(field, field.name, text);
  if (text.trim() === '') return field.required ? { kind: 'required', label: field.label } : null;
  return lengthProblem(field, text) ?? (matchesPattern(field, text) ? null : described(field, invalid(field)));
}

function isPlaceName(name: string): name is PlaceName {
  return Object.hasOwn(placeProblems, name);
}

function placeProblem(field: FormField, name: PlaceName, text: string): FieldProblem | null {
  // An empty value passes here even if required. Whether the form can be submitted is checked separately.
  if (text.trim() === '') return null;
  const tooShort = minimumProblem(field, text);
  if (tooShort) return tooShort;
  if (matchesPattern(field, text)) return null;
  return /^(\d+|[-/,\s]+)$/.test(text.trim()) ? placeProblems[name] : described(field, invalid(field));
}

function lengthProblem(field: FormField, text: string): FieldProblem | null {
  const { label, maxLength = longestText } = field;
  if (text.length > maxLength) return described(field, { kind: 'tooLong', label, length: maxLength });
  return minimumProblem(field, text);
}

function minimumProblem(field: FormField, text: string): FieldProblem | null {
  const { label, minLength = 0 } = field;
  return text.trim().length < minLength ? described(field, { kind: 'tooShort', label, length: minLength }) : null;
}

function invalid(field: FormField): FieldProblem {
  return { kind: 'invalid', label: field.label };
}

function described(field: FormField, problem: FieldProblem): FieldProblem {
  return field.errorMessage ? { kind: 'custom', message: field.errorMessage } : problem;
}

function matchesPattern(field: FormField, text: string): boolean {
  if (!field.pattern) return field.type !== 'email' || isEmail(text);
  if (text.length > longestText) return false;
  const matches = compilePattern(field.pattern);
  // An invalid pattern is an error in the content, and must not lock people out of the form.
  return matches ? matches(text) : true;
}

/** The messages of the specification. Other languages translate by `kind`. */
export function problemText(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'required':
      return `${problem.label} is required`;
    case 'tooShort':
      return `${problem.label} must be at least ${problem.length} characters`;
    case 'tooLong':
      return `${problem.label} must be no more than ${problem.length} characters`;
    case 'invalidAddress':
      return 'Please enter a valid address';
    case 'invalidLandmark':
      return 'Please enter a valid landmark';
    case 'invalid':
      return `Invalid ${problem.label}`;
    case 'custom':
      return problem.message;
  }
}

export function formProblems(schema: FormSchema, values: FormValues): Record<string, FieldProblem> {
  const problems: Record<string, FieldProblem> = {};
  for (const field of schema.fields) {
    const problem = fieldProblem(field, values[field.name]);
    if (problem) problems[field.name] = problem;
  }
  return problems;
}

export function canSubmit(schema: FormSchema, values: FormValues): boolean {
  return schema.fields.every(
    (field) => isFilled(field, values[field.name]) && !fieldProblem(field, values[field.name]),
  );
}

/** Whether a required field has a value: a tick, or text. */
export function isFilled(field: FormField, value: FormValue | undefined): boolean {
  if (!field.required) return true;
  if (field.type === 'checkbox') return value === true;
  return typeof value === 'string' && value.trim() !== '';
}
