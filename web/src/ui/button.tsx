import type { ComponentProps, ElementType } from 'react';
import styles from './button.module.css';
import { Spinner } from './spinner.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  kind?: ButtonKind;
  /** As wide as its container. */
  block?: boolean;
}

export type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean };

/** A busy button keeps its focus and label and ignores further presses. */
export function Button({ kind = 'primary', block, busy, type = 'button', onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={styles.button}
      data-kind={kind}
      data-block={block}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** `as` takes the router's link; a plain anchor otherwise. */
export type ButtonLinkProps = ComponentProps<'a'> & Look & { as?: ElementType };

export function ButtonLink({ kind = 'primary', block, as: Link = 'a', ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={styles.button} data-kind={kind} data-block={block} />;
}
