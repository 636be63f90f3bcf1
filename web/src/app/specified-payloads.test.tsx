import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, field, fill, press, says, seen } from '../testing/look.fixture.ts';
import { freshLine } from '../testing/orders.fixture.ts';
import { openPage } from '../testing/page.fixture.tsx';

const configCall = '/resource/v1/config';

test('API-1 the web sends every field of the specification: line-type, bundle and the code of a bill', async () => {
  const line = freshLine();
  const { sentTo } = await openPage('/prepaid-recharge');
  fill(field('Mobile number'), line);
  await waitFor(() => expect(sentTo('/product/v1/bundle')).toHaveLength(1));
  expect(sentTo('/line-type')[0]?.body).toEqual({
    msisdn: `0${line}`,
    checkIfBroadband: false,
    requestType: 'PREPAID RECHARGE',
  });
  expect(sentTo('/product/v1/bundle')[0]?.body).toEqual({
    data: { msisdn: `0${line}`, lineType: 'PREPAID', serviceType: 'ALL' },
  });

  const broadband = await openPage('/broadband-recharge');
  fill(field('Mobile number'), '390000005');
  await waitFor(() => expect(broadband.sentTo('/product/v1/bundle')).toHaveLength(1));
  expect(broadband.sentTo('/line-type')[0]?.body).toEqual({
    msisdn: '0390000005',
    checkIfBroadband: true,
    requestType: 'Broadband Recharge',
  });
  expect(broadband.sentTo('/product/v1/bundle')[0]?.body).toEqual({
    data: { msisdn: '0390000005', lineType: 'PREPAID', serviceType: 'BROADBAND' },
  });

  const bill = await openPage('/postpaid-bill-pay');
  fill(field('Mobile number'), '390000002');
  await waitFor(() => expect(button('Fetch your Postpaid Bill')).toBeEnabled());
  press(button('Fetch your Postpaid Bill'));
  press(button('Get OTP'));
  await waitFor(() => expect(bill.sentTo('/optimus/otp/send')).toHaveLength(1));
  expect(bill.sentTo('/optimus/otp/send')[0]?.body).toEqual({
    data: { text: '0390000002', text1: '', otpAction: 'INVOICE' },
  });
});

test('CFG-1 APP-12 the limits come from the config call, which is made once and cached for an hour', async () => {
  const page = await openPage('/prepaid-recharge', {
    answers: {
      [configCall]: async (_, ask) => {
        const json = await (await ask()).json();
        const configData = { ...json.result.configData, preMinAmnt: 700, postMaxAmnt: 9_000 };
        return Response.json({ ...json, result: { configData } });
      },
    },
  });
  await waitFor(() => expect(sessionStorage.getItem('config:ORP')).not.toBeNull());
  const { expiry, data } = JSON.parse(sessionStorage.getItem('config:ORP') ?? '{}');
  expect(data.preMinAmnt).toBe(700);
  expect(expiry - Date.now()).toBeGreaterThan(3_500_000);
  expect(expiry - Date.now()).toBeLessThanOrEqual(3_600_000);
  fill(field('Amount'), '600');
  await seen('Minimum amount should be MGA 700');
  expect(page.sentTo(configCall)).toHaveLength(1);

  const bill = await page.load('/postpaid-bill-pay');
  fill(field('Amount'), '9001');
  await seen('Maximum amount should be MGA 9,000');
  expect(bill.sentTo(configCall)).toEqual([]);
});

test('D21 the connection fee comes from the config; without it the note shows the default in the pack’s currency', async () => {
  await openPage('/hbb-lead');
  await seen('The price includes tax and a one-time connection fee of MGA 20,000.');
  for (const [fee, words] of [
    ['35000', 'MGA 35,000'],
    [undefined, 'MGA 20,000'],
  ] as const) {
    sessionStorage.clear();
    const { between } = await openPage('/about');
    between(configCall, async (_, ask) => {
      const json = await (await ask()).json();
      const { leadConnectionFee: _fee, ...rest } = json.result.configData;
      return Response.json({
        ...json,
        result: { configData: { ...rest, ...(fee ? { leadConnectionFee: fee } : {}) } },
      });
    });
    window.history.pushState(null, '', '/hbb-lead');
    await seen(`The price includes tax and a one-time connection fee of ${words}.`);
  }
  expect(says(/N20,000/)).toBe(false);
});
