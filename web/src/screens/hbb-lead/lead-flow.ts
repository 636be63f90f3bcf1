import type { Point } from '@portal/domain/geo.ts';
import type { FormValue, FormValues } from '@portal/domain/lead/form-schema.ts';

/** What was chosen and typed; no step loses any of it. */
interface Kept {
  planCode: string | null;
  values: FormValues;
  point: Point | null;
}

export type LeadStep =
  | { at: 'plan' }
  | { at: 'details'; problem?: LeadProblem }
  /** The address is looked for. */
  | { at: 'locating' }
  /** The map is open, at what was found. */
  | { at: 'picking'; start: Point | null }
  | { at: 'confirming'; problem?: LeadProblem }
  | { at: 'checkingNumber' }
  | { at: 'code'; lineType: string }
  | { at: 'submitting'; lineType: string; uniqueCode: string }
  | { at: 'available'; leadId: string; lineType: string }
  | { at: 'unavailable'; leadId: string | null };

/** A field the server refused, or what it said of the whole. */
export interface LeadProblem {
  message: string;
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
  | { type: 'failed'; problem: LeadProblem }
  /** No code is sent any more. */
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
      return step.at === 'plan' ? { ...flow, planCode: event.planCode } : flow;
    case 'proceed':
      return step.at === 'plan' && flow.planCode !== null ? to({ at: 'details' }) : flow;
    case 'back':
      return step.at === 'details' ? to({ at: 'plan' }) : flow;
    case 'change':
      if (step.at !== 'details') return flow;
      // Another address is another point.
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
      return step.at === 'confirming' ? to({ at: 'checkingNumber' }) : flow;
    case 'numberChecked':
      return step.at === 'checkingNumber' ? to({ at: 'code', lineType: event.lineType }) : flow;
    case 'failed':
      return failed(flow, event.problem);
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

function failed(flow: LeadFlow, problem: LeadProblem): LeadFlow {
  const { at } = flow.step;
  if (at !== 'checkingNumber' && at !== 'submitting') return flow;
  // What names a field is mended in the form; anything else may simply be tried again.
  return { ...flow, step: { at: problem.field ? 'details' : 'confirming', problem } };
}

function submitted(flow: LeadFlow, { leadId, isFeasible }: { leadId: string | null; isFeasible: boolean }): LeadFlow {
  const { step } = flow;
  if (step.at !== 'submitting') return flow;
  if (!isFeasible) return { ...flow, step: { at: 'unavailable', leadId } };
  return leadId === null ? flow : { ...flow, step: { at: 'available', leadId, lineType: step.lineType } };
}

/** Where a reload goes on: what was under way is taken up where nothing is done twice. */
export function resumed(flow: LeadFlow): LeadFlow {
  const { step } = flow;
  switch (step.at) {
    case 'checkingNumber':
    case 'code':
      return { ...flow, step: { at: 'confirming' } };
    default:
      // The lead itself is known by its proof, so sending it again gives the same one.
      return flow;
  }
}
