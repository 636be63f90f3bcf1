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
  /** Id of the form that its button posts the product with; without one there is no button. */
  formId?: string;
}

/** The main figure, the price on the right, then one line with all other facts. The whole card is the button. */
export function BundleCard({ bundle, labels = [], formId }: BundleCardProps) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  const others = words.isNamed(bundle) ? [] : words.facts(bundle).slice(1);
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
      <p className={styles.figure}>{words.headline(bundle)}</p>
      <p className={styles.price}>
        {price}
        {each !== null && <span>{t('bundles.perGigabyte', { amount: formats.money(each) })}</span>}
      </p>
      <p className={styles.name}>{bundle.name}</p>
      {!words.isRepeated(bundle) && <p className={styles.name}>{bundle.description}</p>}
      <div className={styles.line}>
        <dl>
          {others.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div>
            <dt className="visually-hidden">{t('bundles.validity')}</dt>
            <dd>{validity}</dd>
          </div>
        </dl>
        <p>{[words.period(bundle.periodType), hours].filter(Boolean).join(' · ')}</p>
      </div>
      {formId && (
        <Button
          type="submit"
          kind="quiet"
          form={formId}
          name="product"
          value={bundle.productCode}
          aria-label={t('bundles.buyNamed', { name: bundle.name, validity, amount: price })}
        >
          {t('bundles.buy')}
        </Button>
      )}
    </article>
  );
}
