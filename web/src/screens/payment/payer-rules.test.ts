import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { emailProblemKey, needsScript, phoneProblem } from './payer-rules.ts';
import type { PaymentOption } from './payment-order.ts';

const operator = publicPack(pack);
const withPin = { ...operator, features: { ...operator.features, enableAmPin: true } };
const own = '390000001';
const foreign = '330000001';

describe('the paying number', () => {
  test('WAL-1 AIR-1 the brand’s wallet and airtime accept only its own numbers, each with its own message', () => {
    expect(phoneProblem('AM', '', operator)).toBe('payment.phoneMissing');
    expect(phoneProblem('AM', foreign, operator)).toBe('payment.phoneInvalid');
    expect(phoneProblem('AIRTIME', '', operator)).toBe('payment.payerPhoneMissing');
    expect(phoneProblem('AIRTIME', foreign, operator)).toBe('payment.payerPhoneInvalid');
    for (const type of ['AM', 'AIRTIME', 'MPESA', 'SMARTCASH_SECURE'] as const)
      expect(phoneProblem(type, own, operator)).toBeNull();
  });

  test('MPS-1 SMC-1 the other wallets accept any mobile number, a card needs none', () => {
    for (const type of ['MPESA', 'SMARTCASH_SECURE'] as const) {
      expect(phoneProblem(type, foreign, operator)).toBeNull();
      expect(phoneProblem(type, '39000000', operator)).toBe('payment.payerPhoneInvalid');
    }
    expect(phoneProblem('PG', '', operator)).toBeNull();
  });
});

test('CRD-1 AIR-1 MPS-1 an email is required for card and airtime, optional for MPESA, and not asked elsewhere', () => {
  expect(emailProblemKey('PG', ' ')).toBe('payment.emailMissing');
  expect(emailProblemKey('PG', 'nobody')).toBe('payment.emailInvalid');
  expect(emailProblemKey('AIRTIME', '')).toBe('payment.payerEmailMissing');
  expect(emailProblemKey('AIRTIME', 'nobody')).toBe('payment.payerEmailInvalid');
  expect(emailProblemKey('MPESA', '')).toBeNull();
  expect(emailProblemKey('MPESA', 'nobody')).toBe('payment.emailInvalid');
  expect(emailProblemKey('AM', 'nobody')).toBeNull();
  expect(emailProblemKey('PG', 'client@example.mg')).toBeNull();
});

test('NOS-2 push wallets and gateway pages work without script', () => {
  const option = (type: PaymentOption['type'], paymentGateway = ''): PaymentOption => ({
    name: '',
    type,
    paymentMode: '',
    paymentGateway,
  });
  for (const one of [option('AM'), option('MPESA'), option('PG', 'CARD'), option('PG', 'ORANGE')])
    expect(needsScript(one, operator)).toBe(false);
  expect(needsScript(option('AIRTIME'), operator)).toBe(false);
  for (const one of [option('SMARTCASH_SECURE'), option('PG', 'PAYSTACK')])
    expect(needsScript(one, operator)).toBe(true);
  expect(needsScript(option('AM'), withPin)).toBe(true);
});
