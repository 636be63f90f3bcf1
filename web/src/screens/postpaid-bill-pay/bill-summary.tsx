import { statedMoney } from '../../features/bill-amount/bill-words.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import type { Bill } from './bill-order.ts';

export function BillSummary({ national, bill }: { national: string; bill: Bill }) {
  const { t, language } = usePage();
  const formats = useFormats();
  const toPay = formats.money(bill.amountDue, bill.currency);
  return (
    <Card aria-labelledby="bill-summary">
      <h2 id="bill-summary">{t('postpaid.summary')}</h2>
      <SummaryList
        rows={[
          {
            label: t('common.mobileNumber'),
            value: <span className="figures">{formats.number(national)}</span>,
          },
          ...(bill.accountNo ? [{ label: t('common.accountNumber'), value: bill.accountNo }] : []),
          {
            label: t('postpaid.outstanding'),
            value: statedMoney(bill.totalOutstanding, bill.currency, language.formats),
          },
          { label: t('postpaid.toPay'), value: toPay, strong: true },
        ]}
      />
      {bill.isRoundedUp && (
        <Notice kind="info" title={t('postpaid.rounded', { amount: toPay })}>
          {t('postpaid.roundedText')}
        </Notice>
      )}
      {bill.amountDue === 0 && <Notice kind="success" title={t('postpaid.nothingDue')} />}
    </Card>
  );
}
