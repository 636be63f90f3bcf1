import { errorsOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { type ErrorName, errorDetails } from '@portal/contract/errors.ts';
import { fireEvent, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { FailureCode } from '../../lib/api.ts';
import { button, buttons, fact, field, fill, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine, orderFor } from '../../testing/orders.fixture.ts';
import { openPage, refusal } from '../../testing/page.fixture.tsx';
import { isUnclear } from './payment-failure.ts';

const codes: Record<ErrorName, FailureCode> = { ...errorCodes };
const optionsCall = '/payment-options';
const initiateCall = '/initiate';
const codeCall = '/send-otp';
const start = '/payment/start';
const client = 'client@example.mg';
const payButton = () => button(/^Pay /);
const goOn = () => button('Continue');
const chosen = () => [...main().querySelectorAll('[role=group] a[aria-current=page]')].map((one) => one.textContent);
const wayLinks = () => [...main().querySelectorAll('[data-way]')].map((one) => one.textContent);
const alertText = () => main().querySelector('[role=alert]')?.textContent ?? '';
const isOpen = () => waitFor(() => expect(chosen()).toHaveLength(1));

const wayOf = (name: string, type: string, gateway = type) => ({
  name,
  type,
  paymentMode: type,
  paymentGateway: gateway,
});

/** Methods other than this operator's, in any order. */
const offering = (...paymentOption: object[]) => ({
  [optionsCall]: async () =>
    Response.json({ statusCode: 200, status: 'success', message: 'ok', result: { paymentOption } }),
});

async function chooseWay(name: string) {
  press(link(new RegExp(`^${name}`), main()));
  await waitFor(() => expect(chosen()).toEqual([expect.stringMatching(new RegExp(`^${name}`))]));
}

describe('payment methods', () => {
  test('PAY-3 the methods are those of payment-options, sorted by name, with the first card selected', async () => {
    const answers = offering(
      wayOf('Vanilla Cards', 'PG', 'VANILLA'),
      wayOf('Fanilo Money', 'AM'),
      wayOf('Airtime', 'AIRTIME'),
      wayOf('Baobab Cards', 'PG', 'BAOBAB'),
    );
    await openPage(start, { order: orderFor(freshLine()), answers });
    await isOpen();
    expect(wayLinks()).toEqual([
      expect.stringMatching(/^Debit\/Credit Card/),
      expect.stringMatching(/^Airtime/),
      expect.stringMatching(/^Fanilo Money/),
    ]);
    expect(chosen()).toEqual([expect.stringMatching(/^Debit\/Credit Card/)]);
    const radios = [...main().querySelectorAll<HTMLInputElement>('input[type=radio]')];
    expect(radios.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['BAOBAB']);
  });

  test('LIV-2 a method shows whether it works, is slow or failing, and nothing without recent data; a failing one is last and not selected', async () => {
    const answers = offering(
      { ...wayOf('Cards', 'PG', 'CARDS'), health: 'trouble' },
      { ...wayOf('Airtime', 'AIRTIME'), health: 'noRecentData' },
      { ...wayOf('Fanilo Money', 'AM'), health: 'works' },
      { ...wayOf('MPESA', 'MPESA'), health: 'slow' },
    );
    await openPage(start, { order: orderFor(freshLine()), answers });
    await isOpen();
    expect(wayLinks()).toEqual([
      expect.stringMatching(/^Airtime.*\.$/),
      expect.stringMatching(/^Fanilo Money.*Working well$/),
      expect.stringMatching(/^MPESA.*Slow just now: it may take a few minutes$/),
      expect.stringMatching(/^Debit\/Credit Card.*Having trouble: many payments are failing just now$/),
    ]);
    expect(chosen()).toEqual([expect.stringMatching(/^Airtime/)]);
  });

  test('PAY-3 the methods are requested once, with the order', async () => {
    const line = freshLine();
    const body = {
      amount: 1_000,
      mobileNumber: `0${line}`,
      subscriberType: 'PREPAID',
      rechargeType: '',
      transactionType: 'PREPAID_RECHARGE',
    };
    const { sentTo } = await openPage(start, { order: orderFor(line) });
    await isOpen();
    expect(chosen()).toEqual([expect.stringMatching(/^Debit\/Credit Card/)]);
    expect(sentTo(optionsCall)).toEqual([{ path: expect.stringMatching(/\/v1\/payment-options$/), query: {}, body }]);
  });

  test('PAY-3 a URL with channel and pg uses the other call, and keeps both when a method is selected', async () => {
    const { sentTo } = await openPage(`${start}?channel=CWAAA&pg=orange`, { order: orderFor(freshLine()) });
    await isOpen();
    expect(says('Orange Money')).toBe(true);
    expect(chosen()).toEqual([expect.stringMatching(/^Orange Money/)]);
    expect(sentTo(optionsCall)).toMatchObject([
      { path: expect.stringMatching(/transaction\/payment-options$/), query: { channel: 'CWAAA', pg: 'orange' } },
    ]);
    await chooseWay('MPESA');
    expect(window.location.pathname + window.location.search).toBe('/payment/start/mpesa?channel=CWAAA&pg=orange');
  });

  test('PAY-1 a method that is not offered is reported', async () => {
    const order = orderFor(freshLine(), { amount: 1_500 });
    await openPage(`${start}/mpesa`, { order, answers: offering(wayOf('Fanilo Money', 'AM')) });
    await seen(/This way to pay is not offered here\./);
    expect(wayLinks()).toEqual([expect.stringMatching(/^Fanilo Money/)]);
    expect(buttons(/^Pay /)).toEqual([]);
  });

  test('D15 methods that failed to load are reported with the answer’s message where there is one, and retried', async () => {
    const answers = { [optionsCall]: () => Promise.reject(new TypeError('no network')) };
    const { between } = await openPage(`${start}/fanilo-money`, { order: orderFor(freshLine()), answers });
    await waitFor(() => expect(alertText()).toContain('We could not load the ways to pay.Nothing was taken.'));
    between(optionsCall, async () => refusal(503, errorCodes.unavailable, 'Said of the ways.'));
    press(button('Try again'));
    await waitFor(() => expect(alertText()).toContain('Said of the ways.Nothing was taken.'));
    between(optionsCall, null);
    press(button('Try again'));
    await isOpen();
    expect(payButton()).toBeEnabled();
  });
});

describe('the summary', () => {
  test('PAY-4 a bundle shows its description and benefits', async () => {
    const bundleInfo = { amount: 5_000, description: 'Weekend 3 GB', data: '3', dataUnit: 'GB' };
    const order = orderFor(freshLine(), { amount: 5_000, transactionType: 'PREPAID_BUNDLES', bundleInfo });
    await openPage(start, { order });
    expect(fact('Bundle')).toBe('Weekend 3 GB');
    expect(fact('Benefits')).toBe('3 GB');
    expect(fact('Final amount')).toBe('MGA 5,000');
  });

  test('PAY-4 an invoice shows account, number, period and due date', async () => {
    const invoiceDetail = {
      accountNo: 'PA1000000001',
      invoiceNo: 'INV-77',
      billingStartDate: '2026-09-01',
      billingEndDate: '2026-09-30',
      dueDate: '2026-10-15',
    };
    await openPage(start, { order: orderFor(freshLine(), { transactionType: 'POSTPAID_BILL', invoiceDetail }) });
    for (const [label, value] of [
      ['Account number', 'PA1000000001'],
      ['Invoice number', 'INV-77'],
      ['From', '1 Sept 2026'],
      ['To', '30 Sept 2026'],
      ['Due on', '15 Oct 2026'],
    ] as const)
      expect(fact(label), label).toBe(value);
  });
});

describe('validation before any call', () => {
  test('WAL-1 a missing and an incomplete phone number are reported at the field', async () => {
    const { sentTo } = await openPage(`${start}/fanilo-money`, { order: orderFor(freshLine()) });
    await isOpen();
    const phone = field('Phone number');
    fill(phone, '');
    press(payButton());
    await seen('Phone No is required');
    expect(phone).toHaveAttribute('aria-invalid', 'true');
    fill(phone, '39000');
    press(payButton());
    await seen('Please enter valid Fanilo number');
    fill(phone, freshLine());
    expect(says('Please enter valid Fanilo number')).toBe(false);
    expect(sentTo(initiateCall)).toEqual([]);
  });

  test.each(['fanilo-money', 'mpesa', 'airtime'])(
    'by %s the payer’s number is replaced by what is typed, and a full one is never changed into a stranger’s',
    async (way) => {
      const { user } = await openPage(`${start}/${way}`, { order: orderFor('390000001') });
      await isOpen();
      const number = () => field('Phone number');
      expect(number()).toHaveValue('39 00 000 01');
      await user.click(number());
      await user.keyboard('390000007');
      expect(number()).toHaveValue('39 00 000 07');
      number().setSelectionRange(5, 5);
      await user.keyboard('39');
      expect(number()).toHaveValue('39 00 000 07');
      number().setSelectionRange(5, 5);
      await user.paste('+261 39 00 000 08');
      expect(number()).toHaveValue('39 00 000 08');
    },
  );

  test('AIR-1 email and phone have their own messages, and Continue is enabled only when both are valid', async () => {
    const { sentTo } = await openPage(`${start}/airtime`, { order: orderFor(freshLine()) });
    await isOpen();
    expect(goOn()).toBeDisabled();
    fill(field('Phone number'), '');
    fireEvent.blur(field('Phone number'));
    fireEvent.blur(field('Email'));
    for (const words of ['Please enter Phone No', 'Email id is required']) await seen(words);
    fill(field('Phone number'), '39000');
    fill(field('Email'), 'nobody');
    for (const words of ['Please enter valid phone no', 'Please enter valid email']) await seen(words);
    press(goOn());
    expect(sentTo(codeCall)).toEqual([]);
    fill(field('Phone number'), freshLine());
    expect(goOn()).toBeDisabled();
    fill(field('Email'), client);
    expect(goOn()).toBeEnabled();
  });

  test('CRD-1 Continue is enabled only with a gateway and a valid email, which is kept for other methods', async () => {
    const { user } = await openPage(start, { order: orderFor(freshLine()) });
    await isOpen();
    const [first] = [...main().querySelectorAll<HTMLInputElement>('input[type=radio]')];
    expect(first?.checked).toBe(true);
    for (const gateway of [/^Mastercard, Visa/, /^Orange Money/]) expect(says(gateway), String(gateway)).toBe(true);
    expect(goOn()).toBeDisabled();
    fill(field('Email'), 'nobody');
    await user.click(field('Email'));
    await user.tab();
    await seen('Invalid Email Id');
    expect(goOn()).toBeDisabled();
    fill(field('Email'), '');
    await seen('Email is required');
    fill(field('Email'), client);
    expect(goOn()).toBeEnabled();
    expect(field('Email')).not.toHaveAttribute('aria-invalid');
    await chooseWay('Airtime');
    expect(field('Email')).toHaveValue(client);
    expect(JSON.parse(sessionStorage.getItem('QueryData') ?? '{}')).toMatchObject({ emailId: client });
  });

  test('MPS-1 nine digits enable Continue to pay, an invalid email is reported, Cancel goes back', async () => {
    const { sentTo } = await openPage(`${start}/mpesa`, { order: orderFor(freshLine()) });
    await isOpen();
    const pay = () => button('Continue to pay');
    expect(says('+261', main())).toBe(true);
    fill(field('Phone number'), '39000000');
    expect(pay()).toBeDisabled();
    fill(field('Phone number'), freshLine());
    expect(pay()).toBeEnabled();
    fill(field(/^Email/), 'nobody');
    press(pay());
    await seen('Invalid Email Id');
    expect(sentTo(initiateCall)).toEqual([]);
    press(link('Cancel'));
    await waitFor(() => expect(buttons('BUY AIRTIME')).toHaveLength(1));
  });

  test('SMC-1 Proceed needs exactly nine digits after a fixed prefix; Cancel goes back', async () => {
    await openPage(`${start}/smartcash`, { order: orderFor(freshLine()) });
    await isOpen();
    expect(says('+261', main())).toBe(true);
    fill(field('Registered number'), '39000000');
    expect(button('Proceed')).toBeDisabled();
    fill(field('Registered number'), '3900000018888');
    expect(field('Registered number')).toHaveValue('39 00 000 01');
    expect(button('Proceed')).toBeEnabled();
    press(link('Cancel'));
    await waitFor(() => expect(buttons('BUY AIRTIME')).toHaveLength(1));
  });
});

describe('refusals', () => {
  test('MNY-3 says what happened, that nothing was taken, and the next step; the order is kept', async () => {
    const line = freshLine();
    const { between } = await openPage(`${start}/fanilo-money`, { order: orderFor(line, { redirectPage: '/' }) });
    await isOpen();
    for (const [code, error, then, links] of [
      [errorCodes.notOffered, { field: 'productCode' }, 'Please choose again what you want to buy.', 1],
      [errorCodes.priceChanged, { field: 'amount' }, 'Please choose again what you want to buy.', 1],
      [errorCodes.priceChanged, { field: 'invoiceNumber' }, 'Please choose again what you want to buy.', 1],
      [errorCodes.upstreamFailed, {}, 'Please try again: your order is kept.', 0],
      [errorCodes.notOffered, { field: 'paymentMode' }, 'Choose another way to pay: your order is kept.', 0],
    ] as const) {
      const words = `Said about ${code} and ${JSON.stringify(error)}.`;
      between(initiateCall, async () => refusal(409, code, words, error));
      press(payButton());
      await waitFor(() => expect(alertText()).toContain(words));
      expect(alertText(), words).toContain(`Nothing was taken. ${then}`);
      expect(main().querySelectorAll('[role=alert] a'), words).toHaveLength(links);
    }
    await chooseWay('MPESA');
    expect(fact('Mobile number').replaceAll(/\s/g, '')).toBe(`+261${line}`);
    await chooseWay('Fanilo Money');
    between(initiateCall, async () => refusal(409, errorCodes.priceChanged));
    press(payButton());
    await seen('Choose again');
    press(link('Choose again'));
    await waitFor(() => expect(buttons('BUY AIRTIME')).toHaveLength(1));
    expect(window.location.pathname).toBe('/');
  });

  test('D15 every refusal of a registration shows the server’s message, and nothing else', async () => {
    const names = errorsOf('initiate').filter((name) => name !== 'paidRecently');
    expect(names.length).toBeGreaterThan(15);
    const { between } = await openPage(`${start}/fanilo-money`, { order: orderFor(freshLine()) });
    await isOpen();
    for (const name of names) {
      const words = `Said of ${name}.`;
      between(initiateCall, async () => refusal(errorDetails[name].http, codes[name], words));
      press(payButton());
      await waitFor(() => expect(alertText(), name).toMatch(new RegExp(`^${words}Nothing was taken\\. `)));
    }
    // Our own text is shown only for a refusal without a message.
    between(initiateCall, async () => refusal(409, errorCodes.priceChanged, ''));
    press(payButton());
    await waitFor(() => expect(alertText()).toMatch(/^Something Went Wrong!Nothing was taken\. /));
  });

  test('D15 so does every refusal of a payment after its registration', async () => {
    const { between } = await openPage(`${start}/fanilo-money`, { order: orderFor(freshLine()) });
    await isOpen();
    const names = errorsOf('process').filter(
      (name) => name !== 'codeNeeded' && !isUnclear({ ok: false, code: codes[name], message: '' }),
    );
    expect(names).toEqual(expect.arrayContaining(['payerBusy', 'orderPaid', 'keyReused', 'notVerified']));
    for (const name of names) {
      const words = `Said of ${name}.`;
      between('/process', async () => refusal(errorDetails[name].http, codes[name], words));
      press(payButton());
      await waitFor(() => expect(alertText(), name).toMatch(new RegExp(`^${words}Nothing was taken\\. `)));
    }
  });

  test('MPS-1 MNY-3 a response without a transaction id is logged and reported to the customer', async () => {
    const errors: unknown[][] = [];
    const answers = {
      '/mpesa/initiate': async () => Response.json({ statusCode: 200, status: 'success', message: 'ok', result: {} }),
    };
    await openPage(`${start}/mpesa`, { order: orderFor(freshLine()), answers });
    await isOpen();
    vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words));
    fill(field('Phone number'), freshLine());
    press(button('Continue to pay'));
    await waitFor(() => expect(alertText()).toContain('The payment could not be registered.'));
    expect(alertText()).toContain('Nothing was taken.');
    expect(window.location.pathname).toBe(`${start}/mpesa`);
    expect(errors).toEqual([['mpesaInitiate answered without a transaction id']]);
  });
});
