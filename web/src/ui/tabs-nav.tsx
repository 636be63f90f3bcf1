import type { ElementType, ReactNode } from 'react';
import styles from './tabs-nav.module.css';

export interface TabLink {
  href: string;
  label: ReactNode;
  icon?: ReactNode;
  current?: boolean;
}

export interface TabsNavProps {
  /** Names the navigation to a screen reader. */
  label: string;
  items: readonly TabLink[];
  /** The router's link; a plain anchor otherwise. */
  as?: ElementType;
}

/** Tabs that are links: each is a page of its own, so they work without script. */
export function TabsNav({ label, items, as: Link = 'a' }: TabsNavProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map(({ href, label: text, icon, current }) => (
        <Link key={href} href={href} aria-current={current ? 'page' : undefined}>
          {icon}
          {text}
        </Link>
      ))}
    </nav>
  );
}
