import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { describe, expect, test } from 'vitest';
import {
  gatewayName,
  methodFor,
  nameOf,
  namePayment,
  orderDigestOf,
  proofNeeded,
  type Quote,
  type QuoteContext,
  quoteFor,
  withWorksMode,
} from './payments.quote.ts';

type Initiation = Parameters<typeof quoteFor>[0];

const method = (type: PaymentMethod['type'], mode: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  name: mode,
  type,
  mode,
  gateway: mode.toLowerCase(),
  route: mode,
  ...more,
});
const wallet = method('AM', 'BRAND_MONEY');
const card = method('PG', 'PAYMENT_GATEWAY', { gateway: 'cards' });
const airtime = method('AIRTIME', 'AIRTIME');
const mpesa = method('MPESA', 'MPESA');
const pinned = method('SMARTCASH_SECURE', 'SMARTCASH_SECURE');
const methods = [wallet, card, airtime, mpesa, pinned];
const pack = {
  brand: { name: 'Brand' },
  currency: { code: 'XTS', digits: 0 },
  numbering: { countryCode: '261', nationalLength: 9, ownPrefixes: ['39'], mobilePattern: '^3[2-9]\\d{7}$' },
  limits: { prepaid: { min: 500, max: 50_000 }, postpaid: { min: 1_000, max: 90_000 } },
  features: { enableAmPin: true },
} as unknown as OperatorPack;

const lineTypes: Record<string, string> = { '0390000001': 'PREPAID', '0390000002': 'POSTPAID', '0390000003': 'HYBRID' };
const lead = {
  id: 'lead-1',
  plan_code: 'PLAN',
  plan_amount: 9_000,
  plan_description: 'Box',
  contact_number: '0391234567',
  email: 'lova@example.mg',
  line_type: 'PREPAID',
};
const item = { kind: 'bundle', code: 'D1' };
const context = (over: Partial<QuoteContext> = {}) =>
  ({
    pack,
    method: wallet,
    language: 'en-GB',
    visit: 'visit',
    exchange: { honour: () => null },
    lines: { find: async (msisdn: string) => (lineTypes[msisdn] ? { lineType: lineTypes[msisdn] } : null) },
    bundles: {
      find: (code: string) =>
        code === 'D1' ? { item, bundle: { productCode: 'D1', description: '1 GB', amount: 5_000 } } : null,
      findPlan: (code: string) => (code === 'PLAN' ? { productCode: 'PLAN', description: 'Box', amount: 9_000 } : null),
    },
    bills: {
      accountOf: async (msisdn: string) => (msisdn === '0390000002' ? '1000000002' : null),
      invoiceToPay: async ({ accountNo, invoiceNo, token }: Record<string, string>) =>
        token === 'shown' && accountNo === 'PA1'
          ? ({
              'INV-1': { accountNo, invoiceNo, amountDue: 7_000 },
              'INV-0': { accountNo, invoiceNo, amountDue: 0 },
            }[invoiceNo ?? ''] ?? null)
          : null,
    },
    leads: { payable: async (id: string) => (id === 'lead-1' ? lead : null) },
    ...over,
  }) as unknown as QuoteContext;
const recharge = {
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'BRAND_MONEY',
  amount: 5_000,
  mobileNumber: '0390000001',
};
const quote = (order: object, over: Partial<QuoteContext> = {}) =>
  quoteFor({ ...recharge, ...order } as Initiation, context(over));
const refusal = (kind: string, message: string, field: string) => ({ kind, message, extra: { field } });
const notOffered = refusal('notOffered', 'This way to pay is not offered here.', 'paymentMode');

describe('a way to pay', () => {
  const find = (order: object) => methodFor(order as Initiation, withWorksMode(methods));

  test('is found by its mode, or by its gateway if that is named', () => {
    expect(find({ paymentMode: 'BRAND_MONEY' })).toBe(wallet);
    expect(find({ paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARDS' })).toBe(card);
    expect(find({ paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'PAYMENT_GATEWAY' })).toBe(card);
    expect(() => find({ paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'OTHER' })).toThrow(notOffered.message);
    expect(() => find({ paymentMode: 'CASH' })).toThrow(expect.objectContaining(notOffered));
    expect([gatewayName(card), gatewayName(wallet)]).toEqual(['CARDS', 'BRAND_MONEY']);
  });

  test('of the variant sales flow is airtime, for leads only', () => {
    const works = { ...airtime, mode: 'HBB_AIRTIME' };
    expect(find({ paymentMode: 'HBB_AIRTIME', transactionType: 'HBB_LEADS' })).toEqual(works);
    expect(() => find({ paymentMode: 'HBB_AIRTIME', transactionType: 'PREPAID_RECHARGE' })).toThrow(notOffered.message);
    expect(withWorksMode([wallet])).toEqual([wallet]);
    expect(withWorksMode(methods)).toEqual([...methods, works]);
  });

  test('needs a code or a token if the payer is not prompted on the phone', () => {
    expect(methods.map((one) => proofNeeded(one, pack))).toEqual(['token', 'none', 'code', 'none', 'token']);
    const withoutPin = { ...pack, features: { ...pack.features, enableAmPin: false } };
    expect(methods.map((one) => proofNeeded(one, withoutPin))).toEqual(['none', 'none', 'code', 'none', 'token']);
  });
});

describe('an order', () => {
  test('is priced by the server', async () => {
    expect(await quote({ emailId: 'lova@example.mg', currencyCode: 'XTS', countryCode: '261' })).toEqual({
      gateway: 'brand_money',
      paymentMode: 'BRAND_MONEY',
      transactionType: 'PREPAID_RECHARGE',
      amount: 5_000,
      currency: 'XTS',
      payerMsisdn: '0390000001',
      payerProof: null,
      proofDigest: null,
      email: 'lova@example.mg',
      productCode: null,
      description: null,
      accountId: null,
      invoiceNumber: null,
      language: 'en-GB',
      visit: 'visit',
      orderId: null,
      orderDigest: null,
      msisdn: '0390000001',
      details: { item: { kind: 'airtime' }, lineType: 'PREPAID' },
    });
    expect((await quote({})).email).toBeNull();
  });

  test('must be for this country and in its currency', async () => {
    await expect(quote({ currencyCode: 'USD' })).rejects.toMatchObject(
      refusal('priceChanged', 'This currency is not used here.', 'currencyCode'),
    );
    await expect(quote({ countryCode: '33' })).rejects.toMatchObject(
      refusal('notOffered', 'This country is not served here.', 'countryCode'),
    );
  });

  test('must be paid by a number that the way to pay accepts', async () => {
    const invalid = refusal('malformed', 'Please enter valid Brand number', 'paymentMobile');
    expect((await quote({ paymentMobile: '0390000009' })).payerMsisdn).toBe('0390000009');
    for (const own of [wallet, airtime])
      await expect(quote({ paymentMobile: '0340000001' }, { method: own })).rejects.toMatchObject(invalid);
    for (const any of [mpesa, pinned])
      expect((await quote({ paymentMobile: '0340000001' }, { method: any })).payerMsisdn).toBe('0340000001');
    await expect(quote({ paymentMobile: '0200000001' }, { method: mpesa })).rejects.toMatchObject(invalid);
    expect((await quote({ paymentMobile: '0200000001' }, { method: card })).payerMsisdn).toBeNull();
  });

  test('by amount must be within the limits of its kind, which the refusal states', async () => {
    const outside = (text: string) => refusal('amountOutOfRange', text, 'amount');
    await expect(quote({ amount: 499 })).rejects.toMatchObject(outside('Minimum amount should be XTS 500'));
    await expect(quote({ amount: 50_001 })).rejects.toMatchObject(outside('Maximum amount should be XTS 50,000'));
    const bill = { transactionType: 'POSTPAID_BILL', mobileNumber: '0390000002' };
    await expect(quote({ ...bill, amount: 999 })).rejects.toMatchObject(outside('Minimum amount should be XTS 1,000'));
    expect((await quote({ ...bill, amount: 90_000 })).amount).toBe(90_000);
  });

  test('must be for an existing line that may have it', async () => {
    await expect(quote({ mobileNumber: '' })).rejects.toMatchObject(
      refusal('malformed', 'A number is needed.', 'mobileNumber'),
    );
    await expect(quote({ mobileNumber: '0390000099' })).rejects.toMatchObject(
      refusal('lineUnknown', 'Invalid Mobile No', 'mobileNumber'),
    );
    const notEligible = (message: string) => refusal('lineNotEligible', message, 'mobileNumber');
    await expect(quote({ mobileNumber: '0390000002' })).rejects.toMatchObject(
      notEligible('This is not a prepaid line.'),
    );
    await expect(quote({ mobileNumber: '0390000003' })).rejects.toMatchObject(
      notEligible('This is not a prepaid line.'),
    );
    await expect(quote({ transactionType: 'POSTPAID_BILL' })).rejects.toMatchObject(
      notEligible('This is not a postpaid line.'),
    );
  });

  test.each(['PREPAID_RECHARGE', 'POSTPAID_BILL'])('%s by amount names no product', async (transactionType) => {
    const mobileNumber = transactionType === 'POSTPAID_BILL' ? '0390000002' : '0390000001';
    const sold = refusal('priceChanged', 'This is bought by amount, not as a product.', 'productCode');
    await expect(quote({ transactionType, mobileNumber, productCode: 'D1' })).rejects.toMatchObject(sold);
    await expect(
      quote({ transactionType: 'POSTPAID_BILL', invoiceNumber: 'INV-1', productCode: 'D1' }),
    ).rejects.toMatchObject(sold);
  });
});

describe('a bundle', () => {
  const bundle = { transactionType: 'PREPAID_BUNDLES', productCode: 'D1' };

  test('must be in the catalogue, at its price', async () => {
    expect(await quote(bundle)).toMatchObject({
      amount: 5_000,
      productCode: 'D1',
      description: '1 GB',
      details: { item, lineType: 'PREPAID' },
    });
    await expect(quote({ ...bundle, amount: 4_999 })).rejects.toMatchObject(
      refusal('priceChanged', 'The price of this bundle has changed.', 'amount'),
    );
    for (const productCode of ['D2', undefined])
      await expect(quote({ ...bundle, productCode })).rejects.toMatchObject(
        refusal('notOffered', 'This bundle is no longer on sale.', 'productCode'),
      );
  });

  test('is only for lines of its kind and for hybrid ones', async () => {
    const cannot = refusal('lineNotEligible', 'This line cannot buy this bundle.', 'mobileNumber');
    const postpaid = { ...bundle, transactionType: 'POSTPAID_BUNDLES' };
    for (const order of [
      { ...bundle, mobileNumber: '0390000003' },
      { ...postpaid, mobileNumber: '0390000003' },
      { ...postpaid, mobileNumber: '0390000002' },
    ])
      expect((await quote(order)).productCode).toBe('D1');
    await expect(quote({ ...bundle, mobileNumber: '0390000002' })).rejects.toMatchObject(cannot);
    await expect(quote(postpaid)).rejects.toMatchObject(cannot);
  });
});

describe('a bill', () => {
  test('is paid into the account of the line, which the status page does not show', async () => {
    const bill = { transactionType: 'POSTPAID_BILL', mobileNumber: '0390000002' };
    expect(await quote(bill)).toMatchObject({
      accountId: null,
      details: { item: { kind: 'bill', accountNo: '1000000002', billNo: null }, lineType: 'POSTPAID' },
    });
    await expect(quote({ ...bill, mobileNumber: '0390000003' })).rejects.toMatchObject(
      refusal('lineNotEligible', 'There is no bill for this line.', 'mobileNumber'),
    );
  });

  test('of fixed internet is paid in full, by a client that was shown it', async () => {
    const invoice = {
      transactionType: 'POSTPAID_BILL',
      invoiceNumber: 'INV-1',
      accountId: 'PA1',
      invoiceToken: 'shown',
      amount: 7_000,
      mobileNumber: undefined,
      paymentMobile: '0390000001',
    };
    expect(await quote(invoice)).toMatchObject({
      msisdn: '',
      accountId: 'PA1',
      invoiceNumber: 'INV-1',
      details: { item: { kind: 'bill', accountNo: 'PA1', billNo: 'INV-1' } },
    });
    const unknown = refusal('notOffered', 'Please open your bills again to pay this invoice.', 'invoiceNumber');
    await expect(quote({ ...invoice, invoiceToken: undefined })).rejects.toMatchObject(unknown);
    await expect(quote({ ...invoice, accountId: 'PA2' })).rejects.toMatchObject(unknown);
    await expect(quote({ ...invoice, invoiceNumber: 'INV-9' })).rejects.toMatchObject(unknown);
    await expect(quote({ ...invoice, invoiceNumber: 'INV-0', amount: 0 })).rejects.toMatchObject(
      refusal('priceChanged', 'This invoice has already been paid.', 'invoiceNumber'),
    );
    await expect(quote({ ...invoice, amount: 6_999 })).rejects.toMatchObject(
      refusal('priceChanged', 'The amount due has changed. Please open your bills again.', 'amount'),
    );
  });
});

describe('home broadband', () => {
  const order = { transactionType: 'HBB_LEADS', txnId: 'lead-1', amount: 9_000, mobileNumber: undefined };

  test('is for the person and the plan of the lead, whatever the browser says', async () => {
    const found = await quote({
      ...order,
      mobileNumber: '0390000001',
      emailId: 'other@example.mg',
      productCode: 'PLAN',
    });
    expect(found).toMatchObject({
      msisdn: lead.contact_number,
      payerMsisdn: lead.contact_number,
      productCode: 'PLAN',
      description: 'Box',
      details: { item: { kind: 'order', leadId: 'lead-1', productCode: 'PLAN' }, lineType: 'PREPAID' },
    });
  });

  test('sends its receipt to the email typed with the payment, otherwise to the one of the lead', async () => {
    expect(await quote({ ...order, emailId: 'other@example.mg' })).toMatchObject({ email: 'other@example.mg' });
    expect(await quote(order)).toMatchObject({ email: lead.email });
  });

  test('keeps the price that it was ordered at, whatever the plan costs now', async () => {
    const dearer = { findPlan: async () => ({ productCode: 'PLAN', description: 'Box 2', amount: 12_000 }) };
    expect(await quote(order, { bundles: dearer as never })).toMatchObject({ amount: 9_000, description: 'Box' });
    await expect(quote({ ...order, amount: 12_000 }, { bundles: dearer as never })).rejects.toMatchObject({
      refusal: 'planPriceChanged',
    });
  });

  test('is refused for another lead, plan or price', async () => {
    const cannot = refusal('notOffered', 'This order cannot be paid for.', 'txnId');
    for (const over of [{ txnId: 'lead-2' }, { txnId: undefined }, { productCode: 'OTHER' }])
      await expect(quote({ ...order, ...over })).rejects.toMatchObject(cannot);
    await expect(quote({ ...order, amount: 8_999 })).rejects.toMatchObject(
      refusal('priceChanged', 'The price of this plan has changed.', 'amount'),
    );
    const gone = context().bundles;
    await expect(quote(order, { bundles: { ...gone, findPlan: () => null } as never })).rejects.toMatchObject(cannot);
  });
});

describe('PAY-5 the second currency', () => {
  const dual = {
    ...pack,
    currency: { code: 'USD', digits: 2 },
    secondCurrency: { code: 'CDF', digits: 0, plausible: { least: 1_000, most: 9_000 } },
  } as OperatorPack;
  const conversion = { price: 5_000, from: 'USD', to: 'CDF', value: '2800', at: '2026-03-02T07:00:00Z' };
  const exchange = { honour: (given: string) => (given === 'offer' ? { amount: 140_000, conversion } : null) } as never;
  const both = { ...wallet, currencies: ['USD', 'CDF'] };
  const inSecond = { currencyCode: 'CDF', amount: 140_000, exchangeQuote: 'offer' };
  const priced = (order: object, over: Partial<QuoteContext> = {}) =>
    quote(order, { pack: dual, exchange, method: both, ...over });

  test('is paid at the rate that was promised, and the price stays with the payment', async () => {
    expect(await priced(inSecond)).toMatchObject({ amount: 140_000, currency: 'CDF', details: { conversion } });
    const plain = await priced({ currencyCode: 'USD' });
    expect(plain).toMatchObject({ amount: 5_000, currency: 'USD' });
    expect(plain.details).not.toHaveProperty('conversion');
  });

  test('is refused without the promise, or at another amount', async () => {
    const old = refusal(
      'priceChanged',
      'The exchange rate is too old. Please look at the amount again.',
      'exchangeQuote',
    );
    for (const over of [{ exchangeQuote: undefined }, { exchangeQuote: 'other' }, { amount: 139_999 }])
      await expect(priced({ ...inSecond, ...over })).rejects.toMatchObject(old);
  });

  test('is not accepted by every way to pay, and below one unit only by the wallet', async () => {
    await expect(priced(inSecond, { method: wallet })).rejects.toMatchObject(notOffered);
    const small = { ...dual, limits: { ...dual.limits, prepaid: { min: 1, max: 50_000 } } };
    await expect(priced({ amount: 99 }, { pack: small, method: card })).rejects.toMatchObject(notOffered);
    expect((await priced({ amount: 99 }, { pack: small })).amount).toBe(99);
    expect((await priced({ amount: 100 }, { pack: small, method: card })).amount).toBe(100);
  });
});

describe('the payment that a code pays', () => {
  const base = {
    transactionType: 'PREPAID_RECHARGE',
    amount: 5_000,
    currency: 'XTS',
    msisdn: '0390000001',
    productCode: null,
    accountId: null,
    invoiceNumber: null,
    details: { item: { kind: 'airtime' } },
  } as unknown as Quote;
  const order = { item: { kind: 'order', leadId: 'lead-1', productCode: 'PLAN' } } as never;

  test('is a different one if any detail differs', () => {
    const others: Partial<Quote>[] = [
      {},
      { transactionType: 'POSTPAID_BILL' },
      { amount: 5_001 },
      { currency: 'USD' },
      { msisdn: '0390000002' },
      { productCode: 'D1' },
      { accountId: 'PA1' },
      { invoiceNumber: 'INV-1' },
      { details: order },
    ];
    const digests = others.map((over) => nameOf({ ...base, ...over }, pack).digest);
    expect(new Set(digests).size).toBe(others.length);
    expect(digests[0]).toBe(nameOf({ ...base, language: 'fr-FR', email: 'x' }, pack).digest);
    expect(digests[0]).toMatch(/^[\w-]{43}$/);
  });

  test('is named by what is paid for: a number, an invoice, a lead', () => {
    expect(nameOf(base, pack)).toMatchObject({ amount: 5_000, currency: 'XTS', payee: '39 00 000 01' });
    expect(nameOf({ ...base, invoiceNumber: 'INV-1' }, pack).payee).toBe('INV-1');
    expect(nameOf({ ...base, details: order }, pack).payee).toBe('lead-1');
  });

  test('is priced as when it is paid, and only for ways to pay that need a code', async () => {
    const { paymentMode: _, ...purchase } = recharge;
    const name = (paymentMode: string) =>
      namePayment(
        purchase as never,
        { paymentMode, paymentMobile: '0390000009' },
        {
          ...context(),
          methods,
          refuseClosed: async () => {},
        },
      );
    expect(await name('AIRTIME')).toEqual(nameOf(await quote({}, { method: airtime }), pack));
    await expect(name('MPESA')).rejects.toMatchObject(
      refusal('notOffered', 'This way to pay asks for no code.', 'data.paymentMode'),
    );
  });
});

describe('MNY-6 SEC-27 which order a payment is an attempt of', () => {
  const orderId = 'o'.repeat(32);

  test('is the same for any way to pay, payer and visit', async () => {
    const first = await quote({});
    const digest = orderDigestOf(first, orderId);
    const otherwise = {
      ...first,
      gateway: 'cards',
      paymentMode: 'CARD',
      payerMsisdn: null,
      visit: 'another',
      email: 'x',
    };
    expect(orderDigestOf(otherwise, orderId)).toBe(digest);
    const inFrancs = { price: first.amount, from: first.currency, to: 'XXX', value: '2', at: '' };
    const converted = { ...first, amount: 1, currency: 'XXX', details: { ...first.details, conversion: inFrancs } };
    expect(orderDigestOf(converted as typeof first, orderId)).toBe(digest);
  });

  test('differs for any other purchase, so that a known order number cannot block one', async () => {
    const first = await quote({});
    const digest = orderDigestOf(first, orderId);
    for (const other of [
      { msisdn: '0390000009' as const },
      { amount: first.amount + 1 },
      { transactionType: 'POSTPAID_BILL' },
      { productCode: 'P' },
      { accountId: 'A' },
      { invoiceNumber: 'I' },
      { details: { item: { kind: 'order' as const, leadId: 'L', productCode: 'P' } } },
    ])
      expect(orderDigestOf({ ...first, ...other }, orderId), JSON.stringify(other)).not.toBe(digest);
    expect(orderDigestOf(first, 'p'.repeat(32))).not.toBe(digest);
  });
});
