import type { ReactNode } from 'react';
import styles from './field-frame.module.css';
import { WarningIcon } from './icon.tsx';

export interface FieldTexts {
  label: ReactNode;
  /** One line under the field; an error replaces it, so that nothing below moves. */
  hint?: ReactNode;
  error?: ReactNode;
}

interface FieldFrameProps extends FieldTexts {
  id: string;
  prefix?: ReactNode;
  suffix?: ReactNode;
  large?: boolean;
  children: ReactNode;
}

export const noteId = (id: string) => `${id}-note`;

/** Attributes that every control in a frame has, so that screen readers read its note with it. */
export function controlProps(id: string, error: ReactNode, describedBy?: string) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy ? `${noteId(id)} ${describedBy}` : noteId(id),
  };
}

export function FieldNote({ id, hint, error }: Pick<FieldFrameProps, 'id' | 'hint' | 'error'>) {
  return (
    <div className={styles.note} id={noteId(id)} aria-live="polite" data-invalid={!!error}>
      {error ? (
        <>
          <WarningIcon size={18} />
          <span>{error}</span>
        </>
      ) : (
        hint
      )}
    </div>
  );
}

export function FieldFrame({ id, label, hint, error, prefix, suffix, large, children }: FieldFrameProps) {
  return (
    <div className={styles.field} data-large={large}>
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={!!error}>
        {prefix && <span className={styles.prefix}>{prefix}</span>}
        {children}
        {suffix && <span className={styles.suffix}>{suffix}</span>}
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}
