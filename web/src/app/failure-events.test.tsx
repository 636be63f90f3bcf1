import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, field, fill, press, seen } from '../testing/look.fixture.ts';
import { freshLine, orderFor } from '../testing/orders.fixture.ts';
import { type OpenPage, openPage, refusal } from '../testing/page.fixture.tsx';

/** The recorded outcomes, without page views. */
const ended = ({ sentTo }: OpenPage) =>
  sentTo('/analytics/v1/event')
    .map(({ body }) => body)
    .filter(({ event }) => event !== 'page_view')
    .map(({ event, flow, outcome }) => [event, flow, outcome]);

const unavailable = async () => refusal(503, 'UNAVAILABLE');

test('APP-11 a payment that could not be registered is counted as a failure', async () => {
  const page = await openPage('/payment/start/card', {
    order: orderFor(freshLine(), { emailId: 'client@example.mg' }),
  });
  page.between('/transaction/v1/initiate', unavailable);
  await waitFor(() => expect(button('Continue')).toBeEnabled());
  press(button('Continue'));
  await waitFor(() => expect(ended(page)).toEqual([['failure', 'payment', 'UNAVAILABLE']]));
});

test('APP-11 a code that could not be sent and a wrong code are counted as failures', async () => {
  const page = await openPage('/postpaid-bill-pay?msisdn=390000002');
  await waitFor(() => expect(button('Fetch your Postpaid Bill')).toBeEnabled());
  press(button('Fetch your Postpaid Bill'));
  await seen('Get OTP');
  page.between('/optimus/otp/send', unavailable);
  press(button('Get OTP'));
  await waitFor(() => expect(ended(page)).toEqual([['failure', 'otp', 'UNAVAILABLE']]));
  page.between('/optimus/otp/send', null);
  press(button('Try again'));
  page.between('/optimus/otp/verify', async () => refusal(401, 2003));
  await waitFor(() => fill(field(/^Code/), '000000'));
  await waitFor(() => expect(ended(page)).toContainEqual(['failure', 'otp', '2003']));
});

test('APP-11 a lead whose number could not be checked is counted as a failure of the lead', async () => {
  const values = {
    fullName: 'Lova Rabe',
    contactNumber: freshLine(),
    email: 'lova@example.mg',
    town: 'Antananarivo',
    installationAddress: 'Lot II 12 Analakely',
    consent: true,
  };
  const page = await openPage('/hbb-lead', {
    session: {
      lead_flow: { planCode: 'H50G30', values, point: { lat: -18.9, lng: 47.52 }, step: { at: 'confirming' } },
    },
  });
  page.between('/validate-fanilo-number', unavailable);
  press(button('Confirm'));
  await waitFor(() => expect(ended(page)).toEqual([['failure', 'lead', 'UNAVAILABLE']]));
});

test('APP-11 feedback is counted as feedback, sent or not', async () => {
  const page = await openPage('/give_your_feedback');
  fireEvent.change(field('What is it about?'), { target: { value: 'idea' } });
  fill(field(/^Your message/), 'More shops in the south, please.');
  page.between('/form/v2/save', unavailable);
  press(button('Send'));
  await waitFor(() => expect(ended(page)).toEqual([['failure', 'feedback', 'UNAVAILABLE']]));
  page.between('/form/v2/save', null);
  press(button('Send'));
  await waitFor(() => expect(ended(page)).toContainEqual(['success', 'feedback', undefined]));
});
