import type { ComponentProps } from 'react';
import styles from './card.module.css';

export type CardProps = Omit<ComponentProps<'section'>, 'className'>;

export function Card(props: CardProps) {
  return <section {...props} className={styles.card} />;
}
