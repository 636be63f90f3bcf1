import { formatRate } from '@portal/domain/exchange.ts';
import { paths, statusPath, withQuery } from '@portal/domain/paths.ts';
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { wayOf } from '../../features/await-approval/asked-words.ts';
import { CareLine } from '../../features/care-line/care-line.tsx';
import { recents } from '../../features/recent-purchases/recents.ts';
import { useHydrated, useOnline } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { unbroken, useFormats, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { forgetOrders, session } from '../../lib/session.ts';
import { theme } from '../../lib/theme.ts';
import { deferred } from '../../loading/deferred.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SummaryList, type SummaryRow } from '../../ui/summary-list.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { FindPayment, ReferenceForm } from './find-payment.tsx';
import { LeadSummary } from './lead-summary.tsx';
import { NextSteps } from './next-steps.tsx';
import styles from './payment-status.module.css';
import { CopyReference, ReceiptActions } from './receipt-actions.tsx';
import {
  addressOf,
  headingOf,
  isUnsent,
  type Known,
  missingKey,
  moneySteps,
  moneyWordOf,
  orderOf,
  outcomeOf,
  readStatus,
  type StatusLoaded,
  stepWordOf,
  type TicketView,
  type Transaction,
  typeKeyOf,
} from './status-words.ts';
import { useBackTo } from './use-back-to.ts';
import { useTransaction } from './use-transaction.ts';

const load = () => import('./question.tsx').then(({ Question }) => Question);
const Question = import.meta.env.SSR ? await load() : deferred(load);

export function Screen({ loaded }: ScreenProps<StatusLoaded>) {
  const { path, query } = usePage();
  const address = addressOf(path, query);
  // A link leads from one payment of an order to another.
  return <StatusOf key={address.txnId} address={address} loaded={loaded} />;
}

function StatusOf({ address, loaded }: ScreenProps<StatusLoaded> & { address: ReturnType<typeof addressOf> }) {
  const { t, operator } = usePage();
  const first: Known = loaded?.known ?? (address.txnId === '' ? { state: 'unasked' } : { state: 'loading' });
  const known = useTransaction(address, first);
  const online = useOnline();

  // Leaving in any way, Back included, clears the order, so that it cannot be paid again by mistake; unless the
  // person chose to pay another way.
  const isTakenAlong = useRef(false);
  const isOver = useRef(false);
  isOver.current = known.state === 'known' && known.transaction.final;
  useEffect(() => {
    const end = () => {
      if (!isTakenAlong.current) session.order.clear();
    };
    // The browser gives an unloading page no other moment; the data is kept for the case that the page is opened
    // again.
    window.addEventListener('pagehide', end);
    return () => {
      window.removeEventListener('pagehide', end);
      end();
      if (isOver.current && !isTakenAlong.current) forgetOrders();
    };
  }, []);

  if (known.state === 'known')
    return (
      <Status
        transaction={known.transaction}
        ticket={loaded?.ticket}
        token={loaded?.token}
        onTakenAlong={() => {
          isTakenAlong.current = true;
        }}
      />
    );
  // Offline nothing is requested, so it would load for ever.
  if (known.state === 'loading' && online) return <Skeleton height={384} />;
  if (known.state === 'unasked') return <FindPayment />;
  const isMissing = known.state === 'missing';
  const key = isMissing ? missingKey(address.txnId) : 'notReached';
  const isLead = key === 'missingLead';
  return (
    <div className={`lit-box ${styles.page}`}>
      <h1 className="visually-hidden">{t('status.title')}</h1>
      <Notice
        kind={isMissing ? 'info' : 'process'}
        large
        role="status"
        title={t(`status.${key}`)}
        action={
          <ButtonLink
            as={Link}
            href={isLead ? withQuery(paths.homeBroadbandStatus, { id: address.txnId.toUpperCase() }) : paths.home}
            kind={isMissing ? 'secondary' : 'primary'}
          >
            {t(isLead ? 'status.toLead' : 'common.toHome')}
          </ButtonLink>
        }
      >
        {t(`status.${key}Text`, { care: operator.care.number })}
      </Notice>
      {isMissing && <ReferenceForm />}
    </div>
  );
}

const kinds = { success: 'success', failed: 'failure', process: 'process' } as const;

function Refund({ refund, provider }: { refund: NonNullable<Transaction['refund']>; provider: string }) {
  const { t } = usePage();
  const formats = useFormats();
  const { startedAt, expectedBy, completedAt } = refund;
  return (
    <div data-refund={completedAt ? 'done' : 'started'}>
      <p>{t('status.refundStarted', { time: formats.dateTime(startedAt) })}</p>
      <p>
        {completedAt
          ? t('status.refundDone', { time: formats.dateTime(completedAt) })
          : expectedBy
            ? t('status.refundExpected', { time: formats.dateTime(expectedBy) })
            : t('status.refundUntold', { provider })}
      </p>
    </div>
  );
}

/** One order is one purchase: if it was paid twice, both pages say which payment counts and which one is refunded. */
function OtherPayment({ transaction, onTakenAlong }: Pick<StatusProps, 'transaction' | 'onTakenAlong'>) {
  const { t } = usePage();
  const { sameOrder, final, moneyState } = transaction;
  if (!sameOrder) return null;
  const isWaiting = !final && moneyState === 'awaitingApproval';
  return (
    <Notice
      kind="info"
      role="status"
      title={t(`status.${sameOrder.kind}`)}
      action={
        sameOrder.transactionId && (
          <Link href={statusPath(sameOrder.transactionId)} onClick={onTakenAlong}>
            {t('status.otherPayment', { reference: sameOrder.reference ?? '' })}
          </Link>
        )
      }
    >
      {t(`status.${isWaiting ? 'doNotApprove' : `${sameOrder.kind}${sameOrder.isBack ? 'Back' : 'Text'}`}`)}
    </Notice>
  );
}

interface StatusProps {
  transaction: Transaction;
  ticket: TicketView | undefined;
  token: string | undefined;
  onTakenAlong: () => void;
}

function Status({ transaction, ticket, token, onTakenAlong }: StatusProps) {
  const { t, operator, track } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const online = useOnline();
  const id = transaction.transactionId;
  const paidHere = useMemo(() => (hydrated ? session.paid.find(id) : null), [hydrated, id]);
  const asked = transaction.order;
  // The email was typed after the order was made.
  const kept = paidHere && asked?.emailId ? { ...paidHere, emailId: asked.emailId } : paidHere;
  const order = kept ?? (asked ? orderOf(asked) : null);
  // Left or declined at the gateway, or never sent: the page says that the order is kept, and Back leads to where it can
  // be paid.
  const isKept =
    order !== null && !transaction.final && Boolean(transaction.left || transaction.declined || isUnsent(transaction));
  useBackTo(isKept ? paths.paymentStart : order?.redirectPage, id, () => {
    if (!isKept) return;
    onTakenAlong();
    if (isUnsent(transaction)) session.submitted.clear();
    if (!session.order.read()) session.order.write(order);
  });
  const number = unbroken(order?.msisdn ? formats.group(order.msisdn) : transaction.mobileNumber);
  const outcome = outcomeOf(transaction.status);
  const isSuccess = outcome === 'success';
  const isLead = transaction.transactionType === 'HBB_LEADS';
  const amount = formats.money(transaction.amount, transaction.currencyCode);

  useEffect(() => {
    if (isSuccess && paidHere) recents.remember({ id, at: new Date().toISOString(), order: paidHere });
  }, [isSuccess, paidHere, id]);

  useEffect(() => theme.show(paidHere?.theme), [paidHere?.theme]);

  const heading = headingOf(transaction.status, t);
  // A tab in the background tells the outcome.
  useEffect(() => {
    document.title = `${heading} · ${operator.brand.name}`;
  }, [heading, operator]);

  const { status, transactionType, final } = transaction;
  // Once, and where it was paid: opening the link on another device is no second outcome.
  useEffect(() => {
    if (!final || !paidHere || !session.outcomes.isFirst(id)) return;
    const event = isSuccess ? 'success' : 'failure';
    track(event, 'payment', status);
    if (transactionType === 'PREPAID_RECHARGE') track(event, 'recharge', status);
    if (transactionType === 'HBB_LEADS') track(event, 'lead', status);
  }, [final, paidHere, id, isSuccess, status, transactionType, track]);

  // Its script may load late. Until then no re-render may reach it: React would render it again from scratch and
  // discard what was typed in it.
  const question = useMemo(
    () => (
      <Suspense fallback={<Skeleton height={176} />}>
        <Question id={id} isFinal={final} first={ticket} />
      </Suspense>
    ),
    [id, final, ticket],
  );

  const money = t(`status.money.${moneyWordOf(transaction, operator)}`, {
    gateway: wayOf(transaction, { operator, t }),
  });
  // Problems come before anything else.
  const { left, declined, unopened, unclear } = transaction;
  const isMoneyFirst = left || declined || unopened || unclear || isUnsent(transaction);
  const [what, ...more] = money.split('. ');
  const nextSteps = <NextSteps transaction={transaction} order={order} token={token} onTakenAlong={onTakenAlong} />;
  // What failed is followed by the ways out; elsewhere the money is told first.
  const isWayOutFirst = isMoneyFirst || outcome === 'failed';
  return (
    <div className={styles.page}>
      <div role="status" data-status={readStatus(transaction.status)} data-money={transaction.moneyState}>
        <Notice kind={kinds[outcome]} large title={<h1>{heading}</h1>}>
          {isMoneyFirst && (
            <p>
              <span className={styles.money}>{`${what}.`}</span> {more.join('. ')}
            </p>
          )}
          <p className={styles.amount}>{amount}</p>
          {!isLead && number !== '' && (
            // Read out once, together with whom it addresses.
            <p className={styles.whom} aria-hidden="true">
              {`→ ${formats.prefix} ${number}`}
            </p>
          )}
          <p>{number === '' ? t('status.dearAll') : t('status.dear', { number })}</p>
          <p>{t(`status.sentence.${outcome}`)}</p>
          {!isMoneyFirst && <p className={styles.money}>{money}</p>}
          {!online && !transaction.final && <p>{t('status.offline')}</p>}
          {!isSuccess && transaction.statusReason && <p>{`* ${transaction.statusReason}`}</p>}
          {!isSuccess && <CareLine />}
        </Notice>
      </div>
      <OtherPayment transaction={transaction} onTakenAlong={onTakenAlong} />
      {isWayOutFirst && nextSteps}
      <div className={styles.columns}>
        <MoneyCard transaction={transaction} />
        <SummaryCard transaction={transaction} number={number} />
        {isLead && <LeadSummary transaction={transaction} number={number} />}
      </div>
      {!isWayOutFirst && nextSteps}
      {question}
    </div>
  );
}

interface CardProps {
  transaction: Transaction;
}

/** The states of the money so far, and the next one. */
function MoneyCard({ transaction }: CardProps) {
  const { t, operator } = usePage();
  const formats = useFormats();
  const { reference } = transaction;
  const gateway = wayOf(transaction, { operator, t });
  const amount = formats.money(transaction.amount, transaction.currencyCode);
  return (
    <Card>
      <h2>{t('status.whereMoney')}</h2>
      <Timeline
        items={moneySteps(transaction).map((step) => ({
          label: t(`status.step.${stepWordOf(step, transaction, operator)}`, { gateway }),
          time: step.at ? formats.dateTime(step.at) : undefined,
          state: step.mark,
        }))}
      />
      {transaction.refund && <Refund refund={transaction.refund} provider={gateway} />}
      {transaction.goodwill && (
        <p data-goodwill={transaction.goodwill.isGiven ? 'given' : 'due'}>
          {t(transaction.goodwill.isGiven ? 'status.goodwillGiven' : 'status.goodwillDue', {
            amount: formats.money(transaction.goodwill.amount, transaction.goodwill.currencyCode),
          })}
        </p>
      )}
      {!transaction.final && <p>{t('status.staysCurrent')}</p>}
      {transaction.final && transaction.moneyState !== 'notTaken' && (
        <ReceiptActions id={transaction.transactionId} text={t('status.shareText', { amount, reference })} />
      )}
    </Card>
  );
}

function SummaryCard({ transaction, number }: CardProps & { number: string }) {
  const { t, operator, language } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const { conversion, reference } = transaction;
  const isLead = transaction.transactionType === 'HBB_LEADS';
  const rows: (SummaryRow | false | undefined | '')[] = [
    { label: t('status.reference'), value: <span className={styles.reference}>{reference}</span> },
    {
      label: t('status.paymentType'),
      value: isLead ? wayOf(transaction, { operator, t }) : t(`status.type.${typeKeyOf(transaction)}`),
    },
    transaction.bundleDescription && { label: t('payment.bundle'), value: transaction.bundleDescription },
    { label: t('status.status'), value: t(`status.word.${outcomeOf(transaction.status)}`) },
    { label: t('common.amount'), value: formats.money(transaction.amount, transaction.currencyCode) },
    { label: t('status.way'), value: wayOf(transaction, { operator, t }) },
    transaction.payer && {
      label: t('status.askedNumber'),
      value: <span className="figures">{`${formats.prefix} ${transaction.payer}`}</span>,
    },
    conversion && {
      label: t('payment.price'),
      value: formats.money(conversion.price, conversion.fromCurrency),
    },
    conversion && {
      label: t('payment.rate'),
      value: t('payment.rateAt', {
        rate: formatRate(
          { from: conversion.fromCurrency, to: transaction.currencyCode, value: conversion.rate },
          language.formats,
        ),
        time: formats.dateTime(conversion.rateAt),
      }),
    },
    !isLead &&
      number !== '' && {
        label: t('common.mobileNumber'),
        value: <span className="figures">{`${formats.prefix} ${number}`}</span>,
      },
    transaction.accountId && { label: t('common.accountNumber'), value: transaction.accountId },
    transaction.invoiceNumber && { label: t('payment.invoiceNumber'), value: transaction.invoiceNumber },
    {
      label: t('status.transactionId'),
      value: <span className={styles.id}>{transaction.refTransactionId ?? transaction.transactionId}</span>,
    },
  ];
  return (
    <Card>
      <h2>{t('status.summary')}</h2>
      <SummaryList rows={rows.filter((row): row is SummaryRow => Boolean(row))} />
      {hydrated && <CopyReference reference={reference} />}
    </Card>
  );
}
