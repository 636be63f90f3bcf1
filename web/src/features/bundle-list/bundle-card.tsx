import { type Bundle, pricePerGigabyte } from '@portal/domain/bundle.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import styles from './bundle-card.module.css';
import { bundleWords } from './bundle-words.ts';

export interface BundleCardProps {
  bundle: Bundle;
  /** Why it is recommended. */
  labels?: readonly string[];
  /** The form that its button posts the product with; without one there is no button. */
  formId?: string;
}

/** The figure first, the price at the right, then everything else that is known of it. */
export function BundleCard({ bundle, labels = [], formId }: BundleCardProps) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  const [, ...others] = words.facts(bundle);
  const validity = words.validity(bundle);
  const hours = words.hours(bundle.hours);
  const each = pricePerGigabyte(bundle);
  const price = formats.money(bundle.amount, bundle.currency);
  return (
    <article className={styles.card} data-product={bundle.productCode}>
      {labels.length > 0 && (
        <p className={styles.labels}>
          {labels.map((label) => (
            <Chip key={label}>{label}</Chip>
          ))}
        </p>
      )}
      <div className={styles.head}>
        <p className={styles.figure}>{words.headline(bundle)}</p>
        <p className={styles.price}>{price}</p>
      </div>
      <p className={styles.name}>{bundle.name}</p>
      <p className={styles.description}>{bundle.description}</p>
      <dl className={styles.facts}>
        {others.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('bundles.validity')}</dt>
          <dd>{validity}</dd>
        </div>
      </dl>
      <p className={styles.small}>
        {[
          words.period(bundle.periodType),
          hours,
          each !== null && t('bundles.perGigabyte', { amount: formats.money(each) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {formId && (
        <Button
          type="submit"
          form={formId}
          name="product"
          value={bundle.productCode}
          block
          aria-label={t('bundles.buyNamed', { name: bundle.name, validity, amount: price })}
        >
          {t('bundles.buy')}
        </Button>
      )}
    </article>
  );
}
