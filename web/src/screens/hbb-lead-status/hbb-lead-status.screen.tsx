import { paths, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { session } from '../../lib/session.ts';
import { useLatestSignal } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './hbb-lead-status.module.css';
import { readLeadId, type TrackedLead, type Tracking, trackedOrder, trackLead } from './lead-tracking.ts';

export function Screen({ loaded }: ScreenProps<Tracking>) {
  const page = usePage();
  const { t, api, query } = page;
  const [typed, setTyped] = useState(loaded?.id ?? query.id ?? '');
  const [tracking, setTracking] = useState<Tracking | 'asking'>(loaded ?? { state: 'none', id: '' });
  const [isMissing, setMissing] = useState(false);
  const latest = useLatestSignal();

  async function track(event: FormEvent) {
    event.preventDefault();
    setMissing(readLeadId(typed) === '');
    if (readLeadId(typed) === '') return;
    const signal = latest.next();
    setTracking('asking');
    const found = await trackLead(api, typed, signal);
    if (!signal.aborted) setTracking(found);
  }

  const state = tracking === 'asking' ? 'asking' : tracking.state;
  const isUnknown = tracking !== 'asking' && tracking.state === 'unknown';
  const unknown = isUnknown ? (tracking.message ?? t('lead.status.unknown')) : undefined;
  const error = isMissing ? t('lead.status.missing') : unknown;
  return (
    <div className={styles.page}>
      <h1>{t('lead.status.title')}</h1>
      <p>{t('lead.status.intro')}</p>
      <Card>
        <form method="get" action={page.href(paths.homeBroadbandStatus)} onSubmit={track} className={styles.form}>
          <Field
            label={t('lead.status.id')}
            name="id"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setMissing(false);
              // The result is of another number.
              latest.next();
              setTracking({ state: 'none', id: '' });
            }}
            error={error}
            required
          />
          <Button type="submit" busy={state === 'asking'}>
            {t('lead.status.track')}
          </Button>
        </form>
      </Card>
      <div aria-live="polite">
        {tracking !== 'asking' && tracking.state === 'failed' && (
          <Notice kind="failure" role="alert" title={tracking.message} />
        )}
        {tracking !== 'asking' && tracking.state === 'found' && <Found lead={tracking.lead} />}
      </div>
      {isUnknown && (
        <p>
          <Link href={withQuery(paths.paymentStatus, { id: typed })}>{t('common.paymentStatus')}</Link>
        </p>
      )}
      <p>
        <Link href={paths.homeBroadband}>{t('lead.status.newOrder')}</Link>
      </p>
    </div>
  );
}

function Found({ lead }: { lead: TrackedLead }) {
  const { t, operator, navigate } = usePage();
  const { toPay } = lead;
  const formats = useFormats();
  const last = lead.timeline.length - 1;
  return (
    <Card>
      <h2>{t('lead.status.yours')}</h2>
      <SummaryList
        rows={[
          { label: t('lead.status.id'), value: <span className={styles.id}>{lead.refLeadId}</span> },
          {
            label: t('lead.status.current'),
            value: <span data-lead={lead.leadStatus}>{t(`lead.status.word.${lead.leadStatus}`)}</span>,
            strong: true,
          },
          ...(lead.planDescription ? [{ label: t('lead.plan'), value: lead.planDescription }] : []),
          ...(toPay
            ? [{ label: t('lead.price'), value: formats.money(toPay.amount, toPay.currency), strong: true }]
            : []),
          ...(lead.city ? [{ label: t('lead.town'), value: lead.city }] : []),
        ]}
      />
      {toPay ? (
        <div className="needs-script">
          <Button
            onClick={() => {
              session.order.write(trackedOrder(lead, toPay, session.works.read(operator.brand.name)));
              navigate(paths.paymentStart);
            }}
          >
            {t('lead.payNow')}
          </Button>
        </div>
      ) : (
        lead.isPayable && <Notice kind="info" title={t('lead.status.payElsewhere', { care: operator.care.number })} />
      )}
      <h2>{t('lead.status.timeline')}</h2>
      <Timeline
        items={lead.timeline.map(({ status, at }, index) => ({
          label: t(`lead.status.word.${status}`),
          time: formats.dateTime(at),
          state: index === last ? 'current' : 'done',
        }))}
      />
    </Card>
  );
}
