import { leadDefaultFee } from '@portal/domain/constants.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { DynamicForm } from '../../features/dynamic-form/dynamic-form.tsx';
import { useToast } from '../../features/toast/use-toast.ts';
import { messageOr } from '../../lib/api.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage, WithoutScript } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { session, type WorksVisit } from '../../lib/session.ts';
import { type Loadable, useCall } from '../../lib/use-call.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Steps } from '../../ui/steps.tsx';
import styles from './hbb-lead.module.css';
import { LeadDialogs } from './lead-dialogs.tsx';
import { fetchLead, type Lead, leadOrder, shownDevice, worksVisitOf } from './lead-order.ts';
import { PlanTable, SelectedPlan } from './plan-table.tsx';
import { useLeadFlow } from './use-lead-flow.ts';

export { load } from './lead-order.ts';

export function Screen({ loaded }: ScreenProps<Loadable<Lead | null>>) {
  const { t, operator, query } = usePage();
  const hydrated = useHydrated();
  const { lead, failure, retry, renew } = useLead(loaded);
  // A plan that was picked before hydration, or sent by the form then.
  const [early, setEarly] = useState<string | null>(query.plan ?? null);
  return (
    <div className={styles.page}>
      <h1>{t('lead.title')}</h1>
      <p className={styles.intro}>{t('lead.intro')}</p>
      {lead === undefined && <Skeleton height={480} />}
      {lead === null && (
        <Notice
          kind="info"
          role="status"
          title={failure ? messageOr(failure, t('lead.notReached')) : t('lead.notOffered')}
          action={
            failure ? (
              hydrated && <Button onClick={retry}>{t('common.tryAgain')}</Button>
            ) : (
              <ButtonLink as={Link} href={paths.home}>
                {t('common.toHome')}
              </ButtonLink>
            )
          }
        />
      )}
      {lead && !hydrated && (
        <>
          <WithoutScript>
            <Notice kind="info" title={t('lead.noScript', { care: operator.care.number })} />
          </WithoutScript>
          <Progress current={0} works={worksVisitOf(query, operator)} />
          <Layout lead={lead} planCode={early} step="plan">
            <Plans lead={lead} planCode={early} onChoose={setEarly} />
          </Layout>
        </>
      )}
      {lead && hydrated && <Order key={lead.language} lead={lead} early={early} onPlansChanged={renew} />}
    </div>
  );
}

/** Undefined while it is requested, null when there is none. */
function useLead(loaded: Loadable<Lead | null> | undefined) {
  const page = usePage();
  const { language } = page;
  const [renewed, setRenewed] = useState<Lead | null>(null);
  const call = useCall(language.code, (signal) => fetchLead(page.api, page, signal), {
    initial: loaded,
    onFailed: useToast().failed,
  });
  const found = call.state === 'loaded' ? call.result : call.state === 'failed' ? null : undefined;
  return {
    lead: renewed?.language === language.code ? renewed : found,
    failure: call.state === 'failed' ? call.failure : null,
    retry: call.retry,
    /** While the form stays mounted: keeping what was typed is worth more than an updated list. */
    renew: () => fetchLead(page.api, page).then((answer) => answer.ok && setRenewed(answer.result)),
  };
}

function Order({ lead, early, onPlansChanged }: { lead: Lead; early: string | null; onPlansChanged: () => void }) {
  const { t, operator, query, navigate } = usePage();
  const [works] = useState(() => worksVisitOf(query, operator) ?? session.works.read(operator.brand.name));
  const { flow, tell, plan } = useLeadFlow(lead, { works, sentPlan: query.plan }, onPlansChanged);
  const { step } = flow;
  // Return leads back to the flow that led here.
  const [redirectPage] = useState(() => session.redirectUrl.read() ?? paths.home);
  const heading = useRef<HTMLHeadingElement>(null);
  const isPlan = step.at === 'plan' || !plan;
  const wasPlan = useRef(isPlan);

  useEffect(() => {
    session.redirectUrl.write(redirectPage);
    const device = shownDevice(session.devices.read(), lead.device);
    if (device) session.devices.write(device);
  }, [redirectPage, lead]);
  useEffect(() => {
    if (early && lead.plans.some(({ productCode }) => productCode === early)) tell({ type: 'choose', planCode: early });
  }, [early, lead, tell]);
  // A reload continues where the person is by then.
  const takePlanOut = useEffectEvent(() => {
    const { plan: sent, ...rest } = query;
    if (sent) navigate(withQuery(paths.homeBroadband, rest), { replace: true, stay: true });
  });
  useEffect(() => takePlanOut(), []);
  useEffect(() => {
    if (works) session.works.write(operator.brand.name, works);
  }, [works, operator]);
  useEffect(() => {
    if (wasPlan.current !== isPlan) heading.current?.focus();
    wasPlan.current = isPlan;
  }, [isPlan]);

  function pay() {
    if (step.at !== 'available' || !plan) return;
    const { leadId, lineType } = step;
    session.order.write(leadOrder({ values: flow.values, plan, lineType, works }, { leadId, redirectPage }));
    session.lead.clear();
    navigate(paths.paymentStart);
  }

  function explore() {
    session.lead.clear();
    navigate(redirectPage);
  }

  const problem = step.at === 'details' ? step.problem : undefined;
  return (
    <>
      <Progress current={isPlan ? 0 : 1} works={works} />
      <Layout lead={lead} planCode={flow.planCode} step={isPlan ? 'plan' : 'details'}>
        {isPlan ? (
          <Plans
            lead={lead}
            planCode={flow.planCode}
            problem={step.at === 'plan' ? step.problem?.message : undefined}
            onChoose={(planCode) => tell({ type: 'choose', planCode })}
            onProceed={() => tell({ type: 'proceed' })}
            headingRef={heading}
          />
        ) : (
          <Card>
            <h2 ref={heading} tabIndex={-1}>
              {t('lead.details')}
            </h2>
            <p>{t('lead.detailsIntro')}</p>
            <DynamicForm
              schema={lead.schema}
              values={flow.values}
              choices={{ town: lead.towns.map(({ cityName }) => ({ value: cityName, label: cityName })) }}
              refused={problem?.field ? { [problem.field]: problem.message } : {}}
              onChange={(name, value) => tell({ type: 'change', name, value })}
              onSubmit={() => tell({ type: 'submitForm' })}
              onCancel={() => tell({ type: 'back' })}
            />
          </Card>
        )}
      </Layout>
      {plan && <LeadDialogs flow={flow} plan={plan} tell={tell} onPay={pay} onExplore={explore} />}
    </>
  );
}

/** Rendered by the server too, so that nothing moves on hydration. */
function Progress({ current, works }: { current: number; works: WorksVisit | null }) {
  const { t, operator } = usePage();
  return (
    <>
      <Steps
        label={t('lead.steps')}
        items={[t('lead.stepPlan'), t('lead.stepDetails'), t('lead.stepPay')]}
        current={current}
      />
      {works && <Notice kind="info" title={t('lead.worksVisit', { brand: operator.brand.name, id: works.id })} />}
    </>
  );
}

function Layout({
  lead: { device: described, plans },
  planCode,
  step,
  children,
}: {
  lead: Lead;
  planCode: string | null;
  step: 'plan' | 'details';
  children: React.ReactNode;
}) {
  const hydrated = useHydrated();
  const device = shownDevice(hydrated ? session.devices.read() : null, described);
  return (
    <div className={styles.columns}>
      <aside className={styles.device} data-step={step}>
        {device && (
          <Card>
            <h2>{device.deviceName}</h2>
            <img src={device.heading_image} alt="" width={320} height={240} />
            <ul>
              {device.features.map((feature) => (
                <li key={feature}>
                  <CheckIcon size={20} /> {feature}
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Card>
          <SelectedPlan plan={plans.find(({ productCode }) => productCode === planCode) ?? null} />
        </Card>
      </aside>
      <div>{children}</div>
    </div>
  );
}

interface PlansProps {
  lead: Lead;
  planCode: string | null;
  problem?: string | undefined;
  onChoose: (planCode: string) => void;
  /** After hydration; before that the browser sends the form, with the plan in the address. */
  onProceed?: () => void;
  headingRef?: React.Ref<HTMLHeadingElement>;
}

function Plans({ lead, planCode, problem, onChoose, onProceed, headingRef }: PlansProps) {
  const { t, operator, query, href } = usePage();
  const formats = useFormats();
  const { plan: _, ...kept } = query;
  const fee = lead.fee ?? leadDefaultFee * 10 ** operator.currency.digits;
  return (
    <Card>
      <h2 ref={headingRef} tabIndex={-1}>
        {t('lead.choosePlan')}
      </h2>
      {problem && <Notice kind="info" role="alert" title={problem} />}
      <form
        method="get"
        action={href(paths.homeBroadband)}
        onSubmit={(event) => {
          if (!onProceed) return;
          event.preventDefault();
          onProceed();
        }}
      >
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <PlanTable plans={lead.plans} chosen={planCode} onChoose={onChoose} />
        <p className={styles.note}>{t('lead.priceNote', { fee: formats.money(fee) })}</p>
        <div className={styles.actions}>
          <ButtonLink as={Link} href={paths.home} kind="secondary">
            {t('common.back')}
          </ButtonLink>
          <div className={`${styles.proceed} needs-script`}>
            <Button type="submit" disabled={onProceed !== undefined && planCode === null}>
              {t('lead.proceed')}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
