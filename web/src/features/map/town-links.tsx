import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { townsWithShops } from './find-towns.ts';
import styles from './town-links.module.css';

/**
 * Loaded with the page, or requested where the page came without them: after a navigation, or when a search was
 * cleared.
 */
export function useTowns(loaded: readonly string[], isNeeded: boolean): readonly string[] {
  const { api, operator } = usePage();
  const [towns, setTowns] = useState(loaded);
  const isMissing = isNeeded && towns.length === 0;
  useEffect(() => {
    if (isMissing) townsWithShops(api, operator).then(setTowns);
  }, [isMissing, api, operator]);
  return towns;
}

export interface TownLinksProps {
  heading: string;
  towns: readonly string[];
  hrefOf: (town: string) => string;
  /** Facts already known about a town, shown under its name. */
  wordsOf?: (town: string) => string | null | undefined;
  children?: ReactNode;
}

/** A start without a map: links to the larger towns, which work without script. */
export function TownLinks({ heading, towns, hrefOf, wordsOf, children }: TownLinksProps) {
  if (towns.length === 0) return null;
  // Hydrated apart from the search and the map: together they would be one long task on a slow phone.
  return (
    <Suspense>
      <nav className={styles.towns} aria-labelledby="towns">
        <h2 id="towns">{heading}</h2>
        <ul>
          {towns.map((town) => (
            <li key={town}>
              <Link href={hrefOf(town)}>
                {town}
                {wordsOf && <span> {wordsOf(town)}</span>}
              </Link>
            </li>
          ))}
        </ul>
        {children}
      </nav>
    </Suspense>
  );
}
