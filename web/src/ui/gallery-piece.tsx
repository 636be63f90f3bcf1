import type { ReactNode } from 'react';
import styles from './gallery.module.css';

/** A section of the gallery with a heading, addressed by its id. */
export function Piece({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.piece} id={id} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
