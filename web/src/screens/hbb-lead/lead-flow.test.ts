import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstLeadFlow, type LeadEvent, type LeadFlow, leadFlow, resumed } from './lead-flow.ts';

const point = { lat: -18.9, lng: 47.5 };
const after = (...events: LeadEvent[]): LeadFlow => events.reduce(leadFlow, firstLeadFlow);

const toDetails: LeadEvent[] = [
  { type: 'choose', planCode: 'H1' },
  { type: 'proceed' },
  { type: 'change', name: 'fullName', value: 'Lova' },
];
const toConfirm: LeadEvent[] = [
  ...toDetails,
  { type: 'submitForm' },
  { type: 'located', point },
  { type: 'picked', point },
];
const toCode: LeadEvent[] = [...toConfirm, { type: 'confirm' }, { type: 'numberChecked', lineType: 'PREPAID' }];
const toSubmit: LeadEvent[] = [...toCode, { type: 'verified', uniqueCode: 'u' }];

describe('the order of home broadband', () => {
  test('LEA-1 continues only with a plan', () => {
    expect(after({ type: 'proceed' }).step).toEqual({ at: 'plan' });
    expect(after(...toDetails)).toMatchObject({
      planCode: 'H1',
      values: { fullName: 'Lova' },
      step: { at: 'details' },
    });
  });

  test('LEA-3 the map opens at the found place, or without one; Back leads to the form', () => {
    expect(after(...toDetails, { type: 'submitForm' }, { type: 'located', point }).step).toEqual({
      at: 'picking',
      start: point,
    });
    expect(after(...toDetails, { type: 'submitForm' }, { type: 'located', point: null }).step).toEqual({
      at: 'picking',
      start: null,
    });
    expect(after(...toConfirm, { type: 'edit' })).toMatchObject({
      values: { fullName: 'Lova' },
      step: { at: 'details' },
    });
  });

  test('LEA-1 a changed plan has to be chosen again, what was typed is kept, and choosing clears the notice', () => {
    const problem = { message: 'no longer sold' };
    const changed = after(...toSubmit, { type: 'planChanged', problem });
    expect(changed).toEqual({ planCode: null, values: { fullName: 'Lova' }, point, step: { at: 'plan', problem } });
    expect(leadFlow(changed, { type: 'choose', planCode: 'H2' }).step).toEqual({ at: 'plan' });
    expect(after(...toCode, { type: 'planChanged', problem }).step.at).toBe('code');
  });

  test('LEA-5 a feasible lead with an id is available, and any other is not', () => {
    const leadId = 'HB1';
    expect(after(...toSubmit, { type: 'submitted', leadId, isFeasible: true }).step).toEqual({
      at: 'available',
      leadId,
      lineType: 'PREPAID',
    });
    expect(after(...toSubmit, { type: 'submitted', leadId, isFeasible: false }).step).toEqual({
      at: 'unavailable',
      leadId,
    });
    const problem = { message: 'Something Went Wrong!' };
    expect(after(...toSubmit, { type: 'failed', problem }).step).toEqual({ at: 'confirming', problem });
    const ofField = { message: 'no', field: 'town' };
    expect(after(...toSubmit, { type: 'failed', problem: ofField }).step).toEqual({ at: 'details', problem: ofField });
  });

  test('LEA-4 a lead without a response is retried with the same proof; a used proof is requested again', () => {
    const problem = { message: 'Something Went Wrong!' };
    const lost = after(...toSubmit, { type: 'failed', problem, isOpen: true });
    expect(leadFlow(resumed(lost, ['H1']), { type: 'confirm' })).toEqual(after(...toSubmit));
    expect(leadFlow(after(...toSubmit, { type: 'failed', problem }), { type: 'confirm' }).step).toEqual({
      at: 'checkingNumber',
    });
    const edited = [{ type: 'edit' }, ...toConfirm.slice(2), { type: 'confirm' }] as LeadEvent[];
    expect(edited.reduce(leadFlow, lost).step).toEqual({ at: 'checkingNumber' });
  });

  test('LEA-5 when no further codes are sent the form is cleared, and the plan is kept', () => {
    expect(after(...toCode, { type: 'maxLimit' })).toEqual({
      planCode: 'H1',
      values: {},
      point: null,
      step: { at: 'details' },
    });
  });

  test('a reload resumes at a step that repeats nothing', () => {
    const afterReload = (...events: LeadEvent[]) => resumed(after(...events), ['H1']);
    expect(afterReload(...toCode).step).toEqual({ at: 'confirming' });
    expect(afterReload(...toConfirm, { type: 'confirm' }).step).toEqual({ at: 'confirming' });
    for (const events of [toDetails, toConfirm, toSubmit]) expect(afterReload(...events)).toEqual(after(...events));
  });

  test('a plan that was withdrawn has to be chosen again, and what was typed is kept', () => {
    for (const events of [toDetails, toCode])
      expect(resumed(after(...events), ['H2'])).toMatchObject({
        planCode: null,
        values: { fullName: 'Lova' },
        step: { at: 'plan' },
      });
    expect(resumed(firstLeadFlow, ['H2'])).toEqual(firstLeadFlow);
  });
});

const anyEvent: fc.Arbitrary<LeadEvent> = fc.oneof(
  fc.constantFrom<LeadEvent>(
    { type: 'choose', planCode: 'H1' },
    { type: 'proceed' },
    { type: 'back' },
    { type: 'submitForm' },
    { type: 'located', point },
    { type: 'picked', point },
    { type: 'edit' },
    { type: 'confirm' },
    { type: 'numberChecked', lineType: 'PREPAID' },
    { type: 'codeLeft' },
    { type: 'verified', uniqueCode: 'u' },
    { type: 'submitted', leadId: 'HB1', isFeasible: true },
    { type: 'failed', problem: { message: 'x' } },
  ),
);

test('no input is lost, and no lead is sent without a plan, a point and a proof', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const flow = events.reduce(leadFlow, { ...firstLeadFlow, values: { fullName: 'Lova' } });
      expect(flow.values).toEqual({ fullName: 'Lova' });
      if (flow.step.at === 'submitting') {
        expect([flow.planCode, flow.point, flow.step.uniqueCode]).toEqual(['H1', point, 'u']);
      }
    }),
  );
});
