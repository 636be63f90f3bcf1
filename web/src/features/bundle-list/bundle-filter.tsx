import type { Bundle } from '@portal/domain/bundle.ts';
import {
  type BundleNeeds,
  type BundleSort,
  budgetSteps,
  hasNeeds,
  readSort,
  sortField,
} from '@portal/domain/bundle-choice.ts';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip } from '../../ui/chip.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import styles from './bundle-filter.module.css';

export interface BundleFilterProps {
  bundles: readonly Bundle[];
  needs: BundleNeeds;
  sort: BundleSort | null;
  /** The changed fields together, so that several changes at once do not undo each other. */
  onChange(needs: Partial<BundleNeeds>, sort?: BundleSort | null): void;
  /** Called on submit: with script the list is up to date already. */
  onSubmit(): void;
  /** URL of the form without script, and the fields it keeps. */
  action: string;
  carried?: Readonly<Record<string, string | undefined>>;
}

const daySteps = [1, 7, 30];
const sorts = ['perGigabyte', 'price', '-validity', '-data'] as const;

/** The finder: a GET form without script; with script it filters at once. */
export function BundleFilter(props: BundleFilterProps) {
  const { bundles, needs, sort, onChange, onSubmit, action, carried = {} } = props;
  const { t, operator } = usePage();
  const formats = useFormats();
  // The currency is left out, except for one with cents, where a bare figure would read a hundred times too high.
  const short = operator.currency.digits > 0 ? formats.money : formats.plain;
  const shown = sort ? sortField(sort) : '';
  const choices: readonly string[] = sorts;
  // Open at first when the URL filters; later the person opens and closes it.
  const [isOpen] = useState(shown !== '' || hasNeeds({ ...needs, budget: null, days: null }));

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form method="get" action={action} onSubmit={submit} className={styles.filter} aria-label={t('bundles.findTitle')}>
      {Object.entries(carried).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <Row legend={t('bundles.budget')}>
        {[null, ...budgetSteps(bundles)].map((budget) => (
          <ChoiceChip
            key={budget}
            name="budget"
            value={budget ?? ''}
            checked={needs.budget === budget}
            onChange={() => onChange({ budget })}
          >
            {budget === null ? t('bundles.any') : `≤\u00a0${short(budget)}`}
          </ChoiceChip>
        ))}
      </Row>
      <Row legend={t('bundles.lasts')}>
        {[null, ...daySteps].map((days) => (
          <ChoiceChip
            key={days}
            name="days"
            value={days ?? ''}
            checked={needs.days === days}
            onChange={() => onChange({ days })}
          >
            {days === null ? t('bundles.any') : days === 1 ? t('bundles.day') : t('bundles.days', { count: days })}
          </ChoiceChip>
        ))}
      </Row>
      <details className={styles.more} open={isOpen}>
        <summary>{t('bundles.moreFilters')}</summary>
        <div className={styles.inside}>
          <div className={`${styles.search} ${styles.field}`}>
            <Field
              label={t('bundles.search')}
              name="q"
              type="search"
              autoComplete="off"
              maxLength={80}
              value={needs.text}
              onChange={(event) => onChange({ text: event.currentTarget.value })}
            />
          </div>
          <Row legend={t('bundles.inside')}>
            {(['data', 'voice', 'sms'] as const).map((kind) => (
              <ChoiceChip
                key={kind}
                type="checkbox"
                name={kind}
                value="1"
                checked={needs[kind]}
                onChange={(event) => onChange({ [kind]: event.currentTarget.checked })}
              >
                {t(`bundles.${kind}`)}
              </ChoiceChip>
            ))}
          </Row>
          <div className={`${styles.order} ${styles.field}`}>
            <SelectField
              label={t('bundles.sort')}
              name="sort"
              value={shown}
              onChange={(event) => onChange({}, readSort(event.currentTarget.value))}
              placeholder={t('bundles.sortBy.category')}
              options={[
                ...sorts.map((value) => ({ value, label: t(`bundles.sortBy.${value}`) })),
                // The table may be sorted by a column that is no option here; the form keeps it.
                ...(shown && !choices.includes(shown) ? [{ value: shown, label: t('bundles.sortBy.other') }] : []),
              ]}
            />
          </div>
        </div>
      </details>
      <Button type="submit" kind="secondary">
        {t('bundles.apply')}
      </Button>
    </form>
  );
}

function Row({ legend, children }: { legend: string; children: ReactNode }) {
  const id = useId();
  return (
    // A fieldset cannot be laid out as one line with its legend in every browser that we serve.
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="group" aria-labelledby={id} className={styles.row}>
      <span id={id} className={styles.legend}>
        {legend}
      </span>
      <div className={styles.chips}>{children}</div>
    </div>
  );
}
