import { paths } from '@portal/domain/paths.ts';
import { calendarDate, statedMoney } from '../../features/bill-amount/bill-words.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { usePrefetchedPayment } from '../../lib/prefetch-payment.ts';
import { session } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckIcon, ClockIcon, WarningIcon } from '../../ui/icon.tsx';
import { type Account, type Invoice, invoiceOrder, isUnpaid, type OpenInvoices } from './invoice-order.ts';
import styles from './invoice-table.module.css';

const icons = { PAID: CheckIcon, DUE: ClockIcon, OVERDUE: WarningIcon };

export interface InvoiceTableProps {
  account: Account;
  found: OpenInvoices;
  /** Id of the heading that labels the table. */
  labelledBy: string;
}

/** A table on wide screens; on a phone each row becomes a card with labels. */
export function InvoiceTable({ account, found, labelledBy }: InvoiceTableProps) {
  const { t, language, operator } = usePage();
  const formats = useFormats();
  const isRounded = ({ amountDue, outstandingAmount }: Invoice) =>
    amountDue !== Math.round(outstandingAmount * 100) / 10 ** (2 - operator.currency.digits);
  // Keeps a date on one line.
  const date = (iso: string) => calendarDate(iso, language).replaceAll(' ', '\u00a0');
  const cells = (invoice: Invoice) => [
    { label: t('common.accountNumber'), value: invoice.accountNo },
    { label: t('fixed.invoiceNumber'), value: <span id={invoice.invoiceNo}>{invoice.invoiceNo}</span> },
    {
      label: t('fixed.period'),
      value: (
        <span className={styles.period}>
          {t('fixed.fromTo', { from: date(invoice.billingStartDate), to: date(invoice.billingEndDate) })}
        </span>
      ),
    },
    { label: t('fixed.dueDate'), value: date(invoice.dueDate) },
    {
      label: t('fixed.outstanding'),
      value: (
        <>
          <strong>{statedMoney(invoice.outstandingAmount, invoice.currency, language.formats)}</strong>
          {isUnpaid(invoice) && isRounded(invoice) && (
            <small>{t('fixed.youPay', { amount: formats.money(invoice.amountDue, invoice.currency) })}</small>
          )}
        </>
      ),
    },
    { label: t('fixed.status'), value: <InvoiceStatus status={invoice.invoiceStatus} /> },
  ];
  const [first] = found.invoices;
  return (
    <table className={styles.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {first && cells(first).map(({ label }) => <th key={label}>{label}</th>)}
          <th>
            <span className="visually-hidden">{t('fixed.pay')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {found.invoices.map((invoice) => (
          <tr key={invoice.invoiceNo} data-status={invoice.invoiceStatus}>
            {cells(invoice).map(({ label, value }) => (
              <td key={label}>
                <span className={styles.label} aria-hidden="true">
                  {label}
                </span>
                <span className={styles.value}>{value}</span>
              </td>
            ))}
            <td>{isUnpaid(invoice) && <PayBill account={account} invoice={invoice} found={found} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function InvoiceStatus({ status }: { status: Invoice['invoiceStatus'] }) {
  const { t } = usePage();
  const Icon = icons[status];
  return (
    <span className={styles.status} data-status={status}>
      <Icon size={18} />
      {t(`fixed.state.${status}`)}
    </span>
  );
}

function PayBill({ account, invoice, found }: { account: Account; invoice: Invoice; found: OpenInvoices }) {
  const page = usePage();
  usePrefetchedPayment(true);
  return (
    <form
      method="post"
      action={page.href(paths.fixedInternet)}
      onSubmit={(event) => {
        // Where storage is unavailable, the form is posted and the order travels in the URL.
        if (!session.order.write(invoiceOrder(invoice, found, account.email))) return;
        event.preventDefault();
        page.navigate(paths.paymentStart);
      }}
    >
      <input type="hidden" name="accountNo" value={account.accountNo} />
      <input type="hidden" name="email" value={account.email} />
      <input type="hidden" name="invoiceNo" value={invoice.invoiceNo} />
      <Button type="submit" block aria-describedby={invoice.invoiceNo}>
        {page.t('fixed.pay')}
      </Button>
    </form>
  );
}
