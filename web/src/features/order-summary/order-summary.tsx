import { useFormats, usePage } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';
import { SummaryList, type SummaryRow } from '../../ui/summary-list.tsx';
import { calendarDate } from '../bill-amount/bill-words.ts';

interface Sum {
  amount: number;
  currency: string;
}

/** What is bought, for whom and for how much: shown before the last tap. */
export function OrderSummary({ order, charged }: { order: QueryData; charged?: Sum | undefined }) {
  const { t, language } = usePage();
  const formats = useFormats();
  const { bundleInfo, invoiceDetail } = order;
  const day = (date: string) => calendarDate(date, language);
  const description = bundleInfo?.description ?? order.description;
  const final = charged ?? order;
  const data = bundleInfo?.data ?? order.data;
  const rows: (SummaryRow | false | undefined | '')[] = [
    // The payer of an invoice, found by account and email, does not have to know its line.
    !order.invoiceDetail && {
      label: t('common.mobileNumber'),
      value: <span className="figures">{formats.number(order.msisdn)}</span>,
    },
    {
      label: t(order.transactionType === 'POSTPAID_BILL' ? 'payment.bill' : 'payment.plan'),
      value: formats.money(order.amount, order.currency),
    },
    description && { label: t('payment.bundle'), value: description },
    data && { label: t('payment.benefits'), value: `${data} ${bundleInfo?.dataUnit ?? order.dataUnit ?? ''}` },
    invoiceDetail && { label: t('common.accountNumber'), value: invoiceDetail.accountNo },
    invoiceDetail && { label: t('payment.invoiceNumber'), value: invoiceDetail.invoiceNo },
    invoiceDetail?.billingStartDate && { label: t('payment.periodStart'), value: day(invoiceDetail.billingStartDate) },
    invoiceDetail?.billingEndDate && { label: t('payment.periodEnd'), value: day(invoiceDetail.billingEndDate) },
    invoiceDetail?.dueDate && { label: t('payment.dueDate'), value: day(invoiceDetail.dueDate) },
    { label: t('payment.finalAmount'), value: formats.money(final.amount, final.currency), strong: true },
  ];
  return <SummaryList rows={rows.filter((row): row is SummaryRow => Boolean(row))} />;
}
