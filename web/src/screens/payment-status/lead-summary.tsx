import { foreignLineType } from '@portal/domain/line-types.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SummaryList, type SummaryRow } from '../../ui/summary-list.tsx';
import { outcomeOf, type Transaction } from './status-words.ts';

/** What a home-broadband order has beyond its payment: the lead, and the owner's contact. */
export function LeadSummary({ transaction, number }: { transaction: Transaction; number: string }) {
  const { t, operator } = usePage();
  const formats = useFormats();
  const { leadId, note, message, lineType, email, isErased } = transaction.metaInfo ?? {};
  const rows: (SummaryRow | false | undefined | '')[] = [
    leadId && { label: t('status.leadId'), value: <span className="figures">{leadId}</span> },
    lineType !== foreignLineType &&
      number !== '' && {
        label: t('common.mobileNumber'),
        value: <span className="figures">{`${formats.prefix} ${number}`}</span>,
      },
    email && { label: t('payment.email'), value: email },
  ];
  const shown = rows.filter((row): row is SummaryRow => Boolean(row));
  const outcome = outcomeOf(transaction.status);
  const isPaid = outcome !== 'failed';
  return (
    <Card>
      <h2>{t('status.lead')}</h2>
      {shown.length > 0 && <SummaryList rows={shown} />}
      {/* Nobody is called about an order that was not paid. */}
      {isPaid && note && <p>{note}</p>}
      {isPaid && message && <p>{message}</p>}
      {isErased && <Notice kind="info" title={t('status.leadErased', { care: operator.care.number })} />}
      {!leadId && !isErased && outcome === 'success' && <Notice kind="info" title={t('status.leadMissing')} />}
    </Card>
  );
}
