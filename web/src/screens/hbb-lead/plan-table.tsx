import type { Bundle } from '@portal/domain/bundle.ts';
import { useRef } from 'react';
import { bundleWords } from '../../features/bundle-list/bundle-words.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { useEarlyInput } from '../../ui/early-input.ts';
import { SummaryList } from '../../ui/summary-list.tsx';
import styles from './hbb-lead.module.css';

export interface PlanTableProps {
  plans: readonly Bundle[];
  chosen: string | null;
  onChoose: (planCode: string) => void;
}

export function PlanTable({ plans, chosen, onChoose }: PlanTableProps) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  const dataOf = (plan: Bundle) => words.facts(plan).find(({ kind }) => kind === 'data')?.value ?? '–';
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">{t('lead.choosePlan')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('lead.plan')}</th>
            <th scope="col" data-wide>
              {t('bundles.data')}
            </th>
            <th scope="col">{t('lead.validity')}</th>
            <th scope="col">{t('lead.price')}</th>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => (
            <tr key={plan.productCode} data-product={plan.productCode} data-chosen={plan.productCode === chosen}>
              <th scope="row">
                <PlanChoice plan={plan} isChosen={plan.productCode === chosen} onChoose={onChoose} />
              </th>
              <td data-wide>{dataOf(plan)}</td>
              <td>{words.validity(plan)}</td>
              <td>{formats.money(plan.amount, plan.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PlanChoiceProps {
  plan: Bundle;
  isChosen: boolean;
  onChoose: (planCode: string) => void;
}

function PlanChoice({ plan: { productCode, description }, isChosen, onChoose }: PlanChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input);
  return (
    <label className={styles.choice}>
      <input
        ref={input}
        type="radio"
        required
        name="plan"
        value={productCode}
        checked={isChosen}
        onChange={() => onChoose(productCode)}
      />
      {description}
    </label>
  );
}

/** The chosen plan, shown beside every step. */
export function SelectedPlan({ plan }: { plan: Bundle | null }) {
  const { t } = usePage();
  const formats = useFormats();
  const words = bundleWords(t, formats.plain);
  return (
    <section className={styles.selected} aria-labelledby="selected-plan" aria-live="polite">
      <h2 id="selected-plan">{t('lead.selectedPlan')}</h2>
      {plan ? (
        <SummaryList
          rows={[
            { label: t('lead.plan'), value: plan.description },
            ...words.facts(plan).map(({ label, value }) => ({ label, value })),
            { label: t('lead.validity'), value: words.validity(plan) },
            { label: t('lead.price'), value: formats.money(plan.amount, plan.currency), strong: true },
          ]}
        />
      ) : (
        <p>{t('lead.noPlan')}</p>
      )}
    </section>
  );
}
