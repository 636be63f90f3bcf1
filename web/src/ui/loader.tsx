import type { ReactNode } from 'react';
import styles from './loader.module.css';
import { Spinner } from './spinner.tsx';

export interface LoaderProps {
  logo: ReactNode;
  title: ReactNode;
  lines: readonly [ReactNode, ReactNode];
}

export function Loader({ logo, title, lines }: LoaderProps) {
  return (
    <div className={styles.loader} role="status">
      {logo}
      <strong>{title}</strong>
      <p>
        {lines[0]}
        <br />
        {lines[1]}
      </p>
      <Spinner />
    </div>
  );
}
