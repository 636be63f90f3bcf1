import { type Bundle, pricePerGigabyte } from '@portal/domain/bundle.ts';
import type { BundleSort, BundleSortKey } from '@portal/domain/bundle-choice.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { bundleWords, type Fact } from '../../features/bundle-list/bundle-words.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import styles from './tariff-table.module.css';

export interface TariffsProps {
  bundles: readonly Bundle[];
  sort: BundleSort | null;
  /** URL of the table in another order. */
  sortedBy(sort: BundleSort): string;
  onSort(sort: BundleSort): void;
}

/** Columns that are sorted in descending order first. */
const fromMost: readonly BundleSortKey[] = ['data', 'voice', 'sms', 'validity'];

export function Tariffs({ bundles, sort, sortedBy, onSort }: TariffsProps) {
  const { t } = usePage();
  const columns: { by: BundleSortKey; label: string; wide?: boolean }[] = [
    { by: 'name', label: t('table.name') },
    { by: 'data', label: t('bundles.data'), wide: true },
    { by: 'voice', label: t('bundles.voice'), wide: true },
    { by: 'sms', label: t('bundles.sms'), wide: true },
    { by: 'validity', label: t('table.validity') },
    { by: 'price', label: t('table.price') },
    { by: 'perGigabyte', label: t('table.perGigabyte'), wide: true },
  ];

  function next(by: BundleSortKey): BundleSort {
    return sort?.by === by ? { by, descending: !sort.descending } : { by, descending: fromMost.includes(by) };
  }

  const direction = sort?.descending ? 'descending' : 'ascending';
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">{t('table.caption')}</caption>
        <thead>
          <tr>
            {columns.map(({ by, label, wide }) => (
              <th key={by} scope="col" data-wide={wide} aria-sort={sort?.by === by ? direction : undefined}>
                <Link
                  href={sortedBy(next(by))}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
                    event.preventDefault();
                    onSort(next(by));
                  }}
                >
                  {label}
                  <span aria-hidden="true">{sort?.by === by && (sort.descending ? '↓' : '↑')}</span>
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bundles.map((bundle) => (
            <Tariff key={bundle.productCode} bundle={bundle} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Tariff({ bundle }: { bundle: Bundle }) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  const facts = words.facts(bundle);
  const each = pricePerGigabyte(bundle);
  const eachText = each === null ? null : formats.money(each);
  // On a phone there are no columns for the contents.
  const isTold = words.isRepeated(bundle) && words.isNamed(bundle);
  const inside = (kind: Fact['kind']) => facts.find((fact) => fact.kind === kind)?.value ?? none;
  const none = (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('table.none')}</span>
    </>
  );
  return (
    <tr data-product={bundle.productCode}>
      <th scope="row">
        <Link href={buyPath(bundle)}>{bundle.name}</Link>
        <span className={styles.detail}>{isTold ? bundle.category : `${bundle.category} · ${bundle.description}`}</span>
      </th>
      <td data-wide>{inside('data')}</td>
      <td data-wide>{inside('voice')}</td>
      <td data-wide>{inside('sms')}</td>
      <td>{words.validity(bundle)}</td>
      <td>
        <strong>{formats.money(bundle.amount, bundle.currency)}</strong>
        {eachText && <span className={styles.each}>{t('bundles.perGigabyte', { amount: eachText })}</span>}
      </td>
      <td data-wide>{eachText ?? none}</td>
    </tr>
  );
}

/** Home broadband is ordered for an address rather than bought for a line. */
const buyPath = ({ serviceType, productCode }: Bundle) =>
  serviceType === 'HBB' ? paths.homeBroadband : withQuery(paths.dataBundle, { product: productCode });
