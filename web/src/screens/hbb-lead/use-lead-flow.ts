import * as errorCodes from '@portal/contract/error-codes.ts';
import { addressQueries } from '@portal/domain/lead/address-queries.ts';
import { leadFieldPaths } from '@portal/domain/lead/lead-form-values.ts';
import { foreignLineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { useEffect, useEffectEvent, useReducer } from 'react';
import { messageOr } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { session, type WorksVisit } from '../../lib/session.ts';
import { firstLeadFlow, type LeadFlow, leadFlow, resumed, withPlan } from './lead-flow.ts';
import { answersOf, isFeasible, type Lead, leadBody } from './lead-order.ts';

/** Mounted after hydration, so that the session's values are there from the first render on. */
export function useLeadFlow(
  { plans, towns }: Lead,
  { works, sentPlan }: { works: WorksVisit | null; sentPlan: string | undefined },
  renewPlans: () => void,
) {
  const { api, operator, t, track } = usePage();
  const [flow, tell] = useReducer(leadFlow, null, () =>
    resumed(
      withPlan((session.lead.read() as LeadFlow | null) ?? firstLeadFlow, sentPlan),
      plans.map(({ productCode }) => productCode),
    ),
  );
  const { step, values, point } = flow;
  const plan = plans.find(({ productCode }) => productCode === flow.planCode) ?? null;

  useEffect(() => {
    session.lead.write(flow);
  }, [flow]);

  async function locate(signal: AbortSignal) {
    for (const address of addressQueries(answersOf(values))) {
      const answer = await api('geocode', { query: { address }, signal });
      if (signal.aborted) return;
      const found = answer.ok ? answer.result.results[0]?.geometry.location : undefined;
      if (found) return tell({ type: 'located', point: found });
    }
    tell({ type: 'located', point: null });
  }

  async function checkNumber(signal: AbortSignal) {
    const answer = await api('validateBrandNumber', { body: { msisdn: toWire(answersOf(values).number) }, signal });
    if (signal.aborted) return;
    if (answer.ok) tell({ type: 'numberChecked', lineType: answer.result.lineType });
    else if (answer.code === errorCodes.lineUnknown) tell({ type: 'numberChecked', lineType: foreignLineType });
    else {
      track('failure', 'lead', String(answer.code));
      tell({ type: 'failed', problem: { message: answer.message } });
    }
  }

  async function submit(signal: AbortSignal) {
    if (step.at !== 'submitting' || !plan) return;
    const { lineType, uniqueCode } = step;
    const feasible = isFeasible(values, towns);
    const body = leadBody({ values, plan, point, towns, lineType, works, operator }, uniqueCode);
    const answer = await api('submitLead', { body, signal });
    if (signal.aborted) return;
    track(answer.ok ? 'success' : 'failure', 'lead', answer.ok ? undefined : String(answer.code));
    if (answer.ok)
      return tell({ type: 'submitted', leadId: answer.result.refLeadId, isFeasible: answer.result.feasibility });
    if (answer.code === errorCodes.notOffered || answer.code === errorCodes.priceChanged) {
      renewPlans();
      const key = answer.code === errorCodes.notOffered ? 'lead.planGone' : 'lead.planPrice';
      return tell({ type: 'planChanged', problem: { message: messageOr(answer, t(key)) } });
    }
    const field = Object.entries(leadFieldPaths).find(([, path]) => path === answer.field)?.[0];
    if (field) return tell({ type: 'failed', problem: { message: answer.message, field } });
    if (!feasible) return tell({ type: 'submitted', leadId: null, isFeasible: false });
    // The response may be lost although the lead was stored: only a used proof has to be requested again.
    const isOpen = answer.code !== errorCodes.notVerified;
    const reason = answer.isSaid ? { reason: answer.message } : {};
    tell({ type: 'failed', problem: { message: t('lead.failedTitle'), ...reason }, isOpen });
  }

  const enter = useEffectEvent((at: typeof step.at, signal: AbortSignal) => {
    if (at === 'locating') locate(signal);
    if (at === 'checkingNumber') checkNumber(signal);
    if (at === 'submitting') submit(signal);
  });
  useEffect(() => {
    const abort = new AbortController();
    enter(step.at, abort.signal);
    return () => abort.abort();
  }, [step.at]);

  return { flow, tell, plan };
}
