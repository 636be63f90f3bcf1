import { useEffect } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import type { ScreenProps } from '../../lib/screen.ts';
import { session } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SummaryList, type SummaryRow } from '../../ui/summary-list.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './payment-status.module.css';
import {
  addressOf,
  headingOf,
  type Known,
  moneySteps,
  outcomeOf,
  readStatus,
  type StatusLoaded,
  type Transaction,
  typeKeyOf,
} from './status-words.ts';
import { useTransaction } from './use-transaction.ts';

export function Screen({ loaded }: ScreenProps<StatusLoaded>) {
  const { t, path, query, operator } = usePage();
  const address = addressOf(path, query);
  const first: Known = loaded?.known ?? (address.txnId === '' ? { state: 'missing' } : { state: 'loading' });
  const known = useTransaction(address, first);

  // Leaving by any way, Back included, ends the order: it cannot be paid again by mistake.
  useEffect(() => () => session.order.clear(), []);

  if (known.state === 'known') return <Status transaction={known.transaction} />;
  if (known.state === 'loading') return <Skeleton height={384} />;
  const key = known.state === 'missing' ? 'status.missing' : 'status.notReached';
  return (
    <>
      <h1 className="visually-hidden">{t('status.title')}</h1>
      <Notice
        kind={known.state === 'missing' ? 'info' : 'process'}
        large
        role="status"
        title={t(key)}
        action={
          <ButtonLink as={Link} href={paths.home}>
            {t('common.toHome')}
          </ButtonLink>
        }
      >
        {t(`${key}Text`, { care: operator.care.number })}
      </Notice>
    </>
  );
}

const kinds = { success: 'success', failed: 'failure', process: 'process' } as const;

function Status({ transaction }: { transaction: Transaction }) {
  const { t, operator } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const order = hydrated ? session.paid.find(transaction.transactionId) : null;
  const number = order ? formats.group(order.msisdn) : transaction.mobileNumber;
  const outcome = outcomeOf(transaction.status);
  const isSuccess = outcome === 'success';
  const rows: (SummaryRow | false | undefined | '')[] = [
    {
      label: t('status.transactionId'),
      value: <span className={styles.id}>{transaction.refTransactionId ?? transaction.transactionId}</span>,
    },
    { label: t('status.reference'), value: <span className="figures">{transaction.reference}</span> },
    { label: t('status.paymentType'), value: t(`status.type.${typeKeyOf(transaction)}`) },
    transaction.bundleDescription && { label: t('payment.bundle'), value: transaction.bundleDescription },
    { label: t('status.status'), value: t(`status.word.${outcome}`) },
    { label: t('common.amount'), value: formats.money(transaction.amount, transaction.currencyCode) },
    transaction.transactionType !== 'HBB_LEADS' && {
      label: t('common.mobileNumber'),
      value: <span className="figures">{`${formats.prefix} ${number}`}</span>,
    },
    transaction.accountId && { label: t('common.accountNumber'), value: transaction.accountId },
    transaction.invoiceNumber && { label: t('payment.invoiceNumber'), value: transaction.invoiceNumber },
  ];
  const repeat = order?.redirectPage ?? paths.home;
  return (
    <div className={styles.page}>
      <div role="status" data-status={readStatus(transaction.status)} data-money={transaction.moneyState}>
        <Notice kind={kinds[outcome]} large title={<h1>{headingOf(transaction.status, t)}</h1>}>
          <p>{t('status.dear', { number })}</p>
          <p>{t(`status.sentence.${outcome}`)}</p>
          <p className={styles.money}>{t(`status.money.${transaction.moneyState}`)}</p>
          {!isSuccess && transaction.statusReason && <p>{`* ${transaction.statusReason}`}</p>}
        </Notice>
      </div>
      <div className={styles.columns}>
        <Card>
          <h2>{t('status.whereMoney')}</h2>
          <Timeline
            items={moneySteps(transaction).map(({ state, at, mark }) => ({
              label: t(`status.step.${state}`),
              time: at ? formats.dateTime(at) : undefined,
              state: mark,
            }))}
          />
          {transaction.refund && (
            <p>
              {transaction.refund.completedAt
                ? t('status.refundDone', { time: formats.dateTime(transaction.refund.completedAt) })
                : t('status.refundExpected', { time: formats.dateTime(transaction.refund.expectedBy) })}
            </p>
          )}
          {!transaction.final && <p>{t('status.staysCurrent')}</p>}
        </Card>
        <Card>
          <h2>{t('status.summary')}</h2>
          <SummaryList rows={rows.filter((row): row is SummaryRow => Boolean(row))} />
        </Card>
      </div>
      <div className={styles.actions}>
        <ButtonLink as={Link} href={repeat}>
          {t('status.return')}
        </ButtonLink>
        <ButtonLink as={Link} href={paths.help} kind="secondary">
          {t('status.help', { care: operator.care.number })}
        </ButtonLink>
      </div>
    </div>
  );
}
