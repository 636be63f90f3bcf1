import styles from './skeleton.module.css';

export interface SkeletonProps {
  width?: number | string;
  /** Height of one line in pixels, equal to the content that replaces it. */
  height?: number;
  lines?: number;
}

// Drawn as SVG because its size attributes are allowed where the content security policy forbids style attributes.
export function Skeleton({ width = '100%', height = 24, lines = 1 }: SkeletonProps) {
  return (
    <span className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are positions, which never move
        <svg key={line} width={lines > 1 && line === lines - 1 ? '60%' : width} height={height} aria-hidden="true">
          <rect width="100%" height="100%" rx="6" />
        </svg>
      ))}
    </span>
  );
}
