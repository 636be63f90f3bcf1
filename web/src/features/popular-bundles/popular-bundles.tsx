import type { Bundle } from '@portal/domain/bundle.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { bundleWords } from '../bundle-list/bundle-words.ts';
import styles from './popular-bundles.module.css';

const popularPlaces = 4;

/** A few bundles for whoever has not typed a number. Null renders placeholders of the same size. */
export function PopularBundles({ bundles }: { bundles: readonly Bundle[] | null }) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  if (bundles?.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="popular" aria-busy={bundles === null}>
      <h2 id="popular">{t('bundles.popular')}</h2>
      <ul className={styles.popular}>
        {bundles === null && places(popularPlaces)}
        {bundles?.slice(0, popularPlaces).map((bundle) => (
          <li key={bundle.productCode}>
            <Link href={withQuery(paths.dataBundle, { product: bundle.productCode })}>
              <strong className={styles.figure}>{words.headline(bundle)}</strong>
              <span className={styles.name}>{bundle.name}</span>
              <span className={styles.price}>
                <span>{words.validity(bundle)}</span>
                {formats.money(bundle.amount, bundle.currency)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link href={paths.tariffTable}>{t('bundles.allTariffs')}</Link>
      </p>
    </section>
  );
}

export const places = (count: number) =>
  Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the places never move
    <li key={place} data-place="">
      <Skeleton height={28} lines={3} />
    </li>
  ));
