import type { Point } from '@portal/domain/geo.ts';
import type { FormValue, FormValues } from '@portal/domain/lead/form-schema.ts';

/** Choices and input, preserved by every step. */
interface Kept {
  planCode: string | null;
  values: FormValues;
  point: Point | null;
}

export type LeadStep =
  | { at: 'plan'; problem?: LeadProblem }
  | { at: 'details'; problem?: LeadProblem }
  /** Geocoding the address. */
  | { at: 'locating' }
  /** The map is open at the geocoded point. */
  | { at: 'picking'; start: Point | null }
  /** `sent`: the lead was sent and its response lost; sent again with the same proof it is still one lead. */
  | { at: 'confirming'; problem?: LeadProblem; sent?: Proof }
  | { at: 'checkingNumber' }
  | { at: 'code'; lineType: string }
  | ({ at: 'submitting' } & Proof)
  | { at: 'available'; leadId: string; lineType: string }
  | { at: 'unavailable'; leadId: string | null };

interface Proof {
  lineType: string;
  uniqueCode: string;
}

/** A field that the server refused, or its message about the whole form. */
export interface LeadProblem {
  message: string;
  /** The server's own message, below ours. */
  reason?: string;
  field?: string;
}

export type LeadFlow = Kept & { step: LeadStep };

export type LeadEvent =
  | { type: 'choose'; planCode: string }
  | { type: 'proceed' }
  | { type: 'back' }
  | { type: 'change'; name: string; value: FormValue }
  | { type: 'submitForm' }
  | { type: 'located'; point: Point | null }
  | { type: 'picked'; point: Point }
  | { type: 'edit' }
  | { type: 'confirm' }
  | { type: 'numberChecked'; lineType: string }
  /** `isOpen`: the same may be sent again. */
  | { type: 'failed'; problem: LeadProblem; isOpen?: boolean }
  /** The plan was withdrawn, or its price changed. */
  | { type: 'planChanged'; problem: LeadProblem }
  /** No more codes are sent. */
  | { type: 'maxLimit' }
  | { type: 'codeLeft' }
  | { type: 'verified'; uniqueCode: string }
  | { type: 'submitted'; leadId: string | null; isFeasible: boolean }
  | { type: 'restart' };

export const firstLeadFlow: LeadFlow = { planCode: null, values: {}, point: null, step: { at: 'plan' } };

export function leadFlow(flow: LeadFlow, event: LeadEvent): LeadFlow {
  const { step } = flow;
  const to = (next: LeadStep, kept: Partial<Kept> = {}): LeadFlow => ({ ...flow, ...kept, step: next });
  switch (event.type) {
    case 'choose':
      return step.at === 'plan' ? to({ at: 'plan' }, { planCode: event.planCode }) : flow;
    case 'proceed':
      return step.at === 'plan' && flow.planCode !== null ? to({ at: 'details' }) : flow;
    case 'back':
      return step.at === 'details' ? to({ at: 'plan' }) : flow;
    case 'change':
      if (step.at !== 'details') return flow;
      // Another address has another point.
      return to({ at: 'details' }, { values: { ...flow.values, [event.name]: event.value }, point: null });
    case 'submitForm':
      return step.at === 'details' ? to({ at: 'locating' }) : flow;
    case 'located':
      return step.at === 'locating' ? to({ at: 'picking', start: event.point }) : flow;
    case 'picked':
      return step.at === 'picking' ? to({ at: 'confirming' }, { point: event.point }) : flow;
    case 'edit':
      return step.at === 'picking' || step.at === 'confirming' ? to({ at: 'details' }) : flow;
    case 'confirm':
      if (step.at !== 'confirming') return flow;
      return to(step.sent ? { at: 'submitting', ...step.sent } : { at: 'checkingNumber' });
    case 'numberChecked':
      return step.at === 'checkingNumber' ? to({ at: 'code', lineType: event.lineType }) : flow;
    case 'failed':
      return failed(flow, event);
    case 'planChanged':
      return step.at === 'submitting' ? to({ at: 'plan', problem: event.problem }, { planCode: null }) : flow;
    case 'maxLimit':
      return step.at === 'code' ? to({ at: 'details' }, { values: {}, point: null }) : flow;
    case 'codeLeft':
      return step.at === 'code' ? to({ at: 'confirming' }) : flow;
    case 'verified':
      return step.at === 'code'
        ? to({ at: 'submitting', lineType: step.lineType, uniqueCode: event.uniqueCode })
        : flow;
    case 'submitted':
      return submitted(flow, event);
    case 'restart':
      return firstLeadFlow;
  }
}

function failed(flow: LeadFlow, { problem, isOpen }: { problem: LeadProblem; isOpen?: boolean }): LeadFlow {
  const { step } = flow;
  if (step.at !== 'checkingNumber' && step.at !== 'submitting') return flow;
  // An error about a field is corrected in the form; any other may be retried.
  if (problem.field) return { ...flow, step: { at: 'details', problem } };
  if (step.at === 'checkingNumber' || !isOpen) return { ...flow, step: { at: 'confirming', problem } };
  const { lineType, uniqueCode } = step;
  return { ...flow, step: { at: 'confirming', problem, sent: { lineType, uniqueCode } } };
}

function submitted(flow: LeadFlow, { leadId, isFeasible }: { leadId: string | null; isFeasible: boolean }): LeadFlow {
  const { step } = flow;
  if (step.at !== 'submitting') return flow;
  if (!isFeasible) return { ...flow, step: { at: 'unavailable', leadId } };
  return leadId === null ? flow : { ...flow, step: { at: 'available', leadId, lineType: step.lineType } };
}

/** The plan of a form that was sent before hydration, unless one is chosen already. */
export const withPlan = (flow: LeadFlow, planCode: string | undefined): LeadFlow =>
  planCode && (flow.step.at === 'plan' || flow.step.at === 'details')
    ? { ...flow, planCode, step: { at: 'details' } }
    : flow;

/** The step a reload continues with: a step that is safe to repeat is resumed. */
export function resumed(flow: LeadFlow, onSale: readonly string[]): LeadFlow {
  const { step, planCode } = flow;
  // If the plan was withdrawn meanwhile, another one has to be chosen; what was typed stays.
  if (planCode !== null && !onSale.includes(planCode)) return { ...flow, planCode: null, step: { at: 'plan' } };
  switch (step.at) {
    case 'checkingNumber':
    case 'code':
      return { ...flow, step: { at: 'confirming' } };
    default:
      // The lead is identified by its proof, so sending it again returns the same one.
      return flow;
  }
}
