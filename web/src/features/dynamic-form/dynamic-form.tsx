import { canSubmit, type FieldProblem, fieldProblem } from '@portal/domain/lead/form-rules.ts';
import {
  byRank,
  type FormAction,
  type FormField,
  type FormSchema,
  type FormValue,
  type FormValues,
  shownCountryCode,
} from '@portal/domain/lead/form-schema.ts';
import type { FormEvent } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import type { Translate } from '../../lib/translate.ts';
import { cleanedHtml } from '../../lib/trusted.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import type { Choice } from '../../ui/combobox-state.ts';
import { Field } from '../../ui/field.tsx';
import { readEdit } from '../../ui/grouped-edit.ts';
import styles from './dynamic-form.module.css';

export interface DynamicFormProps {
  schema: FormSchema;
  values: FormValues;
  onChange: (name: string, value: FormValue) => void;
  onSubmit: (values: FormValues) => void;
  onCancel: () => void;
  /** Any other action. */
  onAction?: (type: string) => void;
  /** Options that are fetched rather than written in the schema, by field. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Errors of the server by field; each goes when its field changes. */
  refused?: Readonly<Record<string, string>>;
  isBusy?: boolean;
}

/** A form described by the content service. Its screen needs the texts of the namespace `lead`. */
export function DynamicForm(props: DynamicFormProps) {
  const { schema, values, onChange, onSubmit, onCancel, onAction, choices = {}, refused = {}, isBusy } = props;
  const { t } = usePage();
  const hydrated = useHydrated();
  const isReady = canSubmit(schema, values);

  function change(name: string, value: FormValue) {
    // A remounted field reports its value; that is no change.
    if (value === (values[name] ?? (typeof value === 'string' ? '' : false))) return;
    onChange(name, value);
  }

  function errorOf(field: FormField): string | undefined {
    // An untouched field has no value yet. One touched before a reload keeps its error, which blocks the form.
    const problem = field.name in values ? fieldProblem(field, values[field.name]) : null;
    return problem ? problemWords(problem, t) : refused[field.name];
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit(values);
  }

  function press({ type }: FormAction) {
    if (type === 'cancel') onCancel();
    else onAction?.(type);
  }

  return (
    <form method="post" className={styles.form} onSubmit={submit} noValidate>
      {byRank(schema.fields).map((field) => (
        <DynamicField
          key={field.name}
          field={field}
          value={values[field.name]}
          choices={choices[field.name] ?? (field.options ?? []).map(({ value, label = value }) => ({ value, label }))}
          error={errorOf(field)}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <div className={styles.actions}>
        {byRank(schema.actions).map((action) =>
          action.type === 'submit' ? (
            <Button key={action.rank} type="submit" busy={isBusy} disabled={hydrated && !isReady}>
              {action.label}
            </Button>
          ) : (
            <Button key={action.rank} kind="secondary" onClick={() => press(action)}>
              {action.label}
            </Button>
          ),
        )}
      </div>
    </form>
  );
}

interface DynamicFieldProps {
  field: FormField;
  value: FormValue | undefined;
  choices: readonly Choice[];
  error: string | undefined;
  onChange: (value: FormValue) => void;
}

function DynamicField({ field, value, choices, error, onChange }: DynamicFieldProps) {
  const { t } = usePage();
  const formats = useFormats();
  const { name, label, type, placeholder, required } = field;
  const text = typeof value === 'string' ? value : '';
  if (type === 'checkbox')
    return (
      <Checkbox
        name={name}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server with an allowlist
        label={<span dangerouslySetInnerHTML={cleanedHtml(label)} />}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        required={required}
      />
    );
  if (type === 'select')
    return (
      <Combobox
        name={name}
        label={label}
        options={choices}
        value={text}
        onChange={onChange}
        noMatchText={t('lead.noMatch')}
        placeholder={placeholder}
        required={required}
        error={error}
      />
    );
  const countryCode = shownCountryCode(field);
  return (
    <Field
      name={name}
      label={label}
      type={type}
      inputMode={type === 'tel' ? 'numeric' : undefined}
      autoComplete={autoComplete[name]}
      prefix={countryCode}
      placeholder={placeholder}
      required={required}
      error={error}
      value={text}
      // A number pasted with its country code or spaces is still that number.
      onChange={(event) => onChange(countryCode ? readEdit(event, text, formats.read) : event.currentTarget.value)}
    />
  );
}

const autoComplete: Readonly<Record<string, string>> = {
  fullName: 'name',
  contactNumber: 'tel-national',
  email: 'email',
  installationAddress: 'street-address',
};

/** The specification's error texts, translated. */
function problemWords(problem: FieldProblem, t: Translate): string {
  if (problem.kind === 'custom') return problem.message;
  const { kind, ...params } = problem;
  return t(`lead.form.${kind}`, params);
}
