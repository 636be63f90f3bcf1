import type { Bundle } from '@portal/domain/bundle.ts';
import { type BundleNeeds, type BundleSort, budgetSteps, readSort, sortField } from '@portal/domain/bundle-choice.ts';
import { type FormEvent, type ReactNode, useId } from 'react';
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
  /** What changed: several things at once do not undo each other. */
  onChange(needs: Partial<BundleNeeds>, sort?: BundleSort | null): void;
  /** Pressing the button, or Enter: with script the list is already right. */
  onSubmit(): void;
  /** Where the form goes without script, and what it takes along. */
  action: string;
  carried?: Readonly<Record<string, string | undefined>>;
}

const daySteps = [1, 7, 30];
const sorts = ['perGigabyte', 'price', '-validity', '-data'] as const;

/** What one needs, in a few taps. A form that asks by address, which script answers at once. */
export function BundleFilter(props: BundleFilterProps) {
  const { bundles, needs, sort, onChange, onSubmit, action, carried = {} } = props;
  const { t, operator } = usePage();
  const formats = useFormats();
  // The currency goes without saying, but for one with cents, whose bare figures would be a hundred times too much.
  const short = operator.currency.digits > 0 ? formats.money : formats.plain;
  const shown = sort ? sortField(sort) : '';
  const choices: readonly string[] = sorts;

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form method="get" action={action} onSubmit={submit} className={styles.filter} aria-label={t('bundles.findTitle')}>
      {Object.entries(carried).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
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
            // A column of the table may be sorted by what is no choice here; the form keeps it.
            ...(shown && !choices.includes(shown) ? [{ value: shown, label: t('bundles.sortBy.other') }] : []),
          ]}
        />
      </div>
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
