import { type Bundle, groupBundles } from '@portal/domain/bundle.ts';
import {
  type BundleNeeds,
  type BundleSort,
  fitsNeeds,
  hasNeeds,
  noNeeds,
  pickBundles,
  readNeeds,
  readSort,
  sortBundles,
} from '@portal/domain/bundle-choice.ts';
import { withQuery } from '@portal/domain/paths.ts';
import { useId, useRef, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ChipLink } from '../../ui/chip.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BundleCard } from './bundle-card.tsx';
import { BundleFilter } from './bundle-filter.tsx';
import styles from './bundle-list.module.css';
import { CategoryIcon } from './category-icon.tsx';

export interface BundleListProps {
  bundles: readonly Bundle[];
  /** Id of the form that every card posts its product with; it is elsewhere, because forms cannot be nested. */
  formId: string;
  /** URL of the filter without script, and the fields it keeps. */
  filter: { action: string; carried?: Readonly<Record<string, string | undefined>> };
}

/** The finder first, then the list by category; sorting turns it into one flat list. */
export function BundleList({ bundles, formId, filter }: BundleListProps) {
  const { t, query, language } = usePage();
  const [needs, setNeeds] = useState<BundleNeeds>(() => readNeeds(query));
  const [sort, setSort] = useState<BundleSort | null>(() => readSort(query.sort));
  const results = useRef<HTMLDivElement>(null);
  if (bundles.length === 0) return <Notice kind="info" role="status" title={t('bundles.noData')} />;

  const fitting = bundles.filter((bundle) => fitsNeeds(bundle, needs));
  const count = fitting.length === 1 ? t('bundles.countOne') : t('bundles.count', { count: fitting.length });
  return (
    <div className={styles.list}>
      <BundleFilter
        bundles={bundles}
        needs={needs}
        sort={sort}
        onChange={(some, nextSort) => {
          setNeeds((before) => ({ ...before, ...some }));
          if (nextSort !== undefined) setSort(nextSort);
        }}
        onSubmit={() => results.current?.focus()}
        {...filter}
      />
      <div ref={results} tabIndex={-1} className={styles.results}>
        <p role="status" className={styles.count}>
          {fitting.length === 0 ? t('bundles.noData') : count}
        </p>
        {fitting.length === 0 && (
          <ButtonLink
            kind="secondary"
            href={withQuery(filter.action, filter.carried ?? {})}
            onClick={(event) => {
              event.preventDefault();
              setNeeds(noNeeds);
            }}
          >
            {t('bundles.clear')}
          </ButtonLink>
        )}
        {!sort && <Picks bundles={fitting} formId={formId} />}
        {sort ? (
          <Cards bundles={sortBundles(fitting, sort, language.locale)} formId={formId} />
        ) : (
          <Categories bundles={fitting} formId={formId} isWhole={hasNeeds(needs)} />
        )}
      </div>
    </div>
  );
}

interface SomeBundles {
  bundles: readonly Bundle[];
  formId: string;
}

const most = 4;

/** Four bundles per category are shown; the rest fold behind one tap, unless a filter asked for them. */
function Categories({ bundles, formId, isWhole }: SomeBundles & { isWhole: boolean }) {
  const { t, language } = usePage();
  const id = useId();
  const groups = groupBundles(bundles, language.locale);
  return (
    <>
      {groups.length > 1 && (
        <nav className={styles.jump} aria-label={t('bundles.categories')}>
          {groups.map(({ category }, at) => (
            <ChipLink key={category} href={`#${id}${at}`}>
              {category}
            </ChipLink>
          ))}
        </nav>
      )}
      {groups.map(({ category, bundles: inside }, at) => (
        <section key={category} className={styles.category} aria-labelledby={`${id}${at}`}>
          <h3 id={`${id}${at}`} tabIndex={-1}>
            <CategoryIcon category={category} />
            {category}
          </h3>
          <Cards bundles={isWhole ? inside : inside.slice(0, most)} formId={formId} />
          {!isWhole && inside.length > most && (
            <details className={styles.rest}>
              <summary>{t('bundles.rest', { count: inside.length - most, category })}</summary>
              <Cards bundles={inside.slice(most)} formId={formId} />
            </details>
          )}
        </section>
      ))}
    </>
  );
}

/** The best three, each with the reason. */
export function Picks({ bundles, formId }: SomeBundles) {
  const { t } = usePage();
  const { cheapest, longest, mix } = pickBundles(bundles);
  const labelled = [
    { bundle: cheapest, label: t('bundles.pick.cheapest') },
    { bundle: longest, label: t('bundles.pick.longest') },
    { bundle: mix, label: t('bundles.pick.mix') },
  ];
  // A bundle that is best in two ways is shown once, with both reasons.
  const picks = new Map<Bundle, string[]>();
  for (const { bundle, label } of labelled) if (bundle) picks.set(bundle, [...(picks.get(bundle) ?? []), label]);
  if (picks.size === 0) return null;
  return (
    <section className={styles.category} data-picks="">
      <h3>{t('bundles.picks')}</h3>
      <ul className={styles.cards}>
        {[...picks].map(([bundle, labels]) => (
          <li key={bundle.productCode}>
            <BundleCard bundle={bundle} labels={labels} formId={formId} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cards({ bundles, formId }: SomeBundles) {
  return (
    <ul className={styles.cards}>
      {bundles.map((bundle) => (
        <li key={bundle.productCode}>
          <BundleCard bundle={bundle} formId={formId} />
        </li>
      ))}
    </ul>
  );
}
