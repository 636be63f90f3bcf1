import { readFixedInternetAccount } from '@portal/domain/account-number.ts';
import { paths } from '@portal/domain/paths.ts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { ChallengeProgress } from '../../features/challenge/challenge-progress.tsx';
import type { Asked } from '../../features/challenge/question.ts';
import { QuestionForm } from '../../features/challenge/question-form.tsx';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { useFlowEntry } from '../../lib/flow-entry.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { formError, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useUnpaidOrder } from '../../lib/unpaid-order.ts';
import { useLatestSignal } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { readEdit } from '../../ui/grouped-edit.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './fixed-internet.module.css';
import {
  type Account,
  accountProblems,
  type FixedInternetLoaded,
  invoicesBody,
  type OpenInvoices,
  readAccount,
  readAnswer,
} from './invoice-order.ts';
import { InvoiceTable } from './invoice-table.tsx';

type Search =
  | { state: 'none' }
  | { state: 'asking' }
  | { state: 'found'; account: Account; found: OpenInvoices }
  /** The challenge for a browser without script. */
  | { state: 'asked'; account: Account; asked: Asked }
  | { state: 'failed'; refusal: string | undefined };

function searchOf(loaded: FixedInternetLoaded | undefined): Search {
  if (!loaded) return { state: 'none' };
  const { account, found, asked, refusal } = loaded;
  if (asked) return { state: 'asked', account, asked };
  return found ? { state: 'found', account, found } : { state: 'failed', refusal };
}

export function Screen({ loaded }: ScreenProps<FixedInternetLoaded>) {
  const page = usePage();
  const { t, api, form, operator } = page;
  const hydrated = useHydrated();
  useFlowEntry(paths.fixedInternet);
  const kept = useUnpaidOrder(paths.fixedInternet, ['POSTPAID_BILL']);
  const [accountNo, setAccountNo] = useState(form?.values.accountNo ?? kept?.invoiceDetail?.accountNo ?? '');
  const [email, setEmail] = useState(form?.values.email ?? kept?.emailId ?? '');
  const [left, setLeft] = useState({ accountNo: form !== null, email: form !== null });
  const [search, setSearch] = useState<Search>(() => searchOf(loaded));
  const [isChanged, setChanged] = useState(false);
  const latest = useLatestSignal();
  const results = useRef<HTMLDivElement>(null);
  const account = readAccount({ accountNo, email });
  const problems = accountProblems(account);
  const ready = Object.keys(problems).length === 0;
  const isFull = account.accountNo.length === 12;

  /** A result belongs to the account that was asked about. */
  function forgetResult() {
    latest.next();
    setSearch({ state: 'none' });
    setChanged(true);
  }

  async function showBills(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!ready || search.state === 'asking') return;
    const signal = latest.next();
    setSearch({ state: 'asking' });
    const answer = await api('openInvoices', { body: invoicesBody(account), signal });
    if (signal.aborted) return;
    setSearch(searchOf({ account, ...readAnswer(answer) }));
    results.current?.focus();
  }

  const whole = isChanged ? undefined : formError(form, 'form', t);
  return (
    <div className={`lit ${styles.page}`}>
      <div className={styles.form}>
        <h1>{t('fixed.title')}</h1>
        <p className={styles.lead}>{t('fixed.lead')}</p>
        <Card>
          <FlowTabs current={paths.fixedInternet} />
          <form method="post" action={page.href(paths.fixedInternet)} onSubmit={showBills} noValidate>
            <Field
              label={t('common.accountNumber')}
              hint={t('fixed.accountHint')}
              error={problems.accountNo && (left.accountNo || isFull) ? t(problems.accountNo) : undefined}
              name="accountNo"
              value={accountNo}
              onChange={(event) => {
                const typed = readEdit(event, accountNo, readFixedInternetAccount);
                if (typed !== accountNo) forgetResult();
                setAccountNo(typed);
              }}
              onBlur={() => setLeft((before) => ({ ...before, accountNo: accountNo !== '' }))}
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              large
              required
            />
            <Field
              label={t('fixed.email')}
              hint={t('fixed.emailHint')}
              error={problems.email && left.email ? t(problems.email) : undefined}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              value={email}
              onChange={(event) => {
                forgetResult();
                setEmail(event.currentTarget.value);
              }}
              onBlur={() => setLeft((before) => ({ ...before, email: true }))}
              required
            />
            <Button type="submit" block disabled={hydrated && !ready} busy={search.state === 'asking'}>
              {t('fixed.show')}
            </Button>
          </form>
        </Card>
      </div>
      <div ref={results} className={styles.results} tabIndex={-1} aria-live="polite">
        {whole && <Notice kind="failure" role="alert" title={whole} />}
        {search.state === 'asking' && (
          <ChallengeProgress>
            <Skeleton height={56} lines={3} />
          </ChallengeProgress>
        )}
        {search.state === 'asked' && (
          <QuestionForm path={paths.fixedInternet} asked={search.asked} fields={{ ...search.account }} />
        )}
        {search.state === 'failed' && !whole && (
          <Notice kind="failure" title={search.refusal ?? t('fixed.notReached')}>
            {!search.refusal && t('fixed.notReachedText')}
          </Notice>
        )}
        {search.state === 'found' &&
          (search.found.invoices.length === 0 ? (
            <Notice kind="info" title={t('fixed.noData')}>
              {t('fixed.noDataText', { care: operator.care.number })}
            </Notice>
          ) : (
            <Bills account={search.account} found={search.found} />
          ))}
      </div>
    </div>
  );
}

function Bills({ account, found }: { account: Account; found: OpenInvoices }) {
  const { t } = usePage();
  const id = useId();
  return (
    <Card>
      <h2 id={id}>{t('fixed.bills')}</h2>
      <InvoiceTable account={account} found={found} labelledBy={id} />
    </Card>
  );
}
