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

/** On a narrow screen the tabs overflow, so the open one is scrolled into view unless it is visible already. */
const showCurrent = (tabs: HTMLElement | null) => {
  const current = tabs?.querySelector<HTMLElement>('[aria-current]');
  if (!tabs || !current) return;
  const left = current.offsetLeft - tabs.offsetLeft;
  // The last fifth fades out.
  if (left + current.offsetWidth > 0.8 * tabs.clientWidth)
    tabs.scrollLeft = left - (tabs.clientWidth - current.offsetWidth) / 2;
};

/** Tabs that are links: each is a page of its own, so they work without script. */
export function TabsNav({ label, items, as: Link = 'a' }: TabsNavProps) {
  return (
    <nav ref={showCurrent} className={styles.tabs} aria-label={label}>
      {items.map(({ href, label: text, icon, current }) => (
        <Link key={href} href={href} aria-current={current ? 'page' : undefined}>
          {icon}
          {text}
        </Link>
      ))}
    </nav>
  );
}
