import { toWire } from '@portal/domain/msisdn.ts';
import { paths } from '@portal/domain/paths.ts';
import { Suspense, useState } from 'react';
import type { Asked } from '../../features/challenge/question.ts';
import { QuestionForm } from '../../features/challenge/question-form.tsx';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useUnpaidOrder } from '../../lib/unpaid-order.ts';
import { useLatestSignal } from '../../lib/use-call.ts';
import { deferred } from '../../loading/deferred.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Bill, PostpaidLoaded } from './bill-order.ts';
import { CodeForm } from './code-form.tsx';
import styles from './postpaid-bill-pay.module.css';
import { PostpaidForm } from './postpaid-form.tsx';

// The server renders a bill that a form requested; in the browser its script loads after the form's.
const load = () => import('./bill-summary.tsx').then((module) => module.BillSummary);
const BillSummary = import.meta.env.SSR ? await load() : deferred(load);
const ProofDialog = deferred(() => import('./proof-dialog.tsx').then((module) => module.ProofDialog));

/** The bill of one number: it is dropped when another number is typed. */
type Fetched =
  | { state: 'none' }
  | { state: 'proving'; national: string }
  | { state: 'asking'; national: string }
  | { state: 'bill'; national: string; bill: Bill }
  | { state: 'failed'; national: string; message: string; again?: string };

function fetchedOf(loaded: PostpaidLoaded | undefined): Fetched {
  if (loaded?.step === 'bill') return { state: 'bill', national: loaded.msisdn, bill: loaded.bill };
  if (loaded?.step === 'noBill') return { state: 'failed', national: loaded.msisdn, message: loaded.message };
  return { state: 'none' };
}

const amountOf = (bill: Bill) => (bill.amountDue === 0 ? '' : String(bill.amountDue));

export function Screen({ loaded }: ScreenProps<PostpaidLoaded>) {
  const { t, api, form, query } = usePage();
  const formats = useFormats();
  const left = useUnpaidOrder(paths.postpaidBillPay, ['POSTPAID_BILL']);
  const [national, setNational] = useState(
    form?.values.msisdn ?? loaded?.msisdn ?? formats.read(query.msisdn ?? left?.msisdn ?? ''),
  );
  const [amount, setAmount] = useState(
    form?.values.amount ??
      (loaded?.step === 'bill' ? amountOf(loaded.bill) : (query.amount ?? left?.amount.toString() ?? '')),
  );
  const [kept, setFetched] = useState<Fetched>(() => fetchedOf(loaded));
  const fetched: Fetched = kept.state === 'none' || kept.national === national ? kept : { state: 'none' };
  const asked: Asked | null = JSON.parse(form?.values.asked ?? 'null');
  const latest = useLatestSignal();

  /**
   * The amount filled in from a bill belongs to its number: it is cleared with it, so that nobody pays another line's
   * bill.
   */
  function changeNational(next: string) {
    setNational(next);
    if (kept.state !== 'bill') return;
    const due = amountOf(kept.bill);
    if (next === kept.national) setAmount((typed) => typed || due);
    else setAmount((typed) => (typed === due ? '' : typed));
  }

  async function fetchBill(uniqueCode: string) {
    const signal = latest.next();
    setFetched({ state: 'asking', national });
    const body = { data: { msisdn: toWire(national), uniqueCode } };
    const answer = await api('bill', { body, signal });
    if (signal.aborted) return;
    if (!answer.ok) return setFetched({ state: 'failed', national, message: answer.message, again: uniqueCode });
    setFetched({ state: 'bill', national, bill: answer.result });
    setAmount(amountOf(answer.result));
  }

  return (
    <div className={`lit ${styles.page}`} data-with-bill={fetched.state === 'bill'}>
      <div className={styles.words}>
        <h1>{t('postpaid.title')}</h1>
        <p className={styles.lead}>{t('postpaid.lead')}</p>
      </div>
      {asked ? (
        <QuestionForm
          path={paths.postpaidBillPay}
          asked={asked}
          fields={{
            msisdn: national,
            step: form?.values.step ?? '',
            accountNo: form?.values.accountNo ?? '',
            ...(loaded?.step === 'code' ? { order: loaded.token } : {}),
          }}
        />
      ) : loaded?.step === 'code' ? (
        <CodeForm national={loaded.msisdn} token={loaded.token} />
      ) : (
        <Card>
          <FlowTabs current={paths.postpaidBillPay} />
          <PostpaidForm
            national={national}
            onNational={changeNational}
            amount={amount}
            onAmount={setAmount}
            onFetch={() => setFetched({ state: 'proving', national })}
            isFetching={fetched.state === 'asking' || fetched.state === 'proving'}
            token={loaded?.step === 'bill' ? loaded.token : null}
          />
        </Card>
      )}
      <div className={styles.summary} aria-live="polite">
        {fetched.state === 'failed' && <BillFailed {...fetched} onRetry={fetchBill} />}
        {fetched.state === 'bill' && (
          <Suspense>
            <BillSummary national={fetched.national} bill={fetched.bill} />
          </Suspense>
        )}
      </div>
      {fetched.state === 'proving' && (
        <Suspense>
          <ProofDialog national={national} onProved={fetchBill} onClose={() => setFetched({ state: 'none' })} />
        </Suspense>
      )}
    </div>
  );
}

interface BillFailedProps {
  message: string;
  /** The proof, while it is still valid. */
  again?: string;
  onRetry: (uniqueCode: string) => void;
}

function BillFailed({ message, again, onRetry }: BillFailedProps) {
  const { t } = usePage();
  return (
    <Notice
      kind="failure"
      title={message}
      action={again && <Button onClick={() => onRetry(again)}>{t('common.tryAgain')}</Button>}
    />
  );
}
