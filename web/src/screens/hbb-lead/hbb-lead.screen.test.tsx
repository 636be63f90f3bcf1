import * as errorCodes from '@portal/contract/error-codes.ts';
import { act, waitFor } from '@testing-library/react';
import { describe, expect, inject, test, vi } from 'vitest';
import { button, buttons, field, fill, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine, leadValues } from '../../testing/orders.fixture.ts';
import { codeFor, type OpenPage, openPage, refusal } from '../../testing/page.fixture.tsx';

const path = '/hbb-lead';
const plan = '50 GB, 30 days';
const sendForm = () => button('Continue');
const dialog = () => document.querySelector<HTMLElement>('dialog[open]');
const submitCall = '/submit-lead';

const typed = (number: string, more: object = {}) => ({ ...leadValues(number), ...more });

/** The state after a reload at the last step; the steps on the map need a real browser. */
const toConfirm = (values: object, options: { isClockStopped?: boolean } = {}): Promise<OpenPage> =>
  openPage(path, {
    ...options,
    session: {
      lead_flow: { planCode: 'H50G30', values, point: { lat: -18.9, lng: 47.52 }, step: { at: 'confirming' } },
    },
  });

async function confirm(codeTo: string) {
  press(button('Confirm'));
  await seen(/code/i);
  const code = await codeFor(codeTo);
  await waitFor(() => fill(field(/^Code/), code));
}

async function openDetails() {
  const page = await openPage(path);
  press(document.querySelector<HTMLInputElement>('input[type=radio][value=H50G30]') as HTMLInputElement);
  press(button('Proceed'));
  await seen('Your details');
  return page;
}

const described = (label: string | RegExp) => {
  const id = field(label).getAttribute('aria-describedby');
  return id ? (document.getElementById(id)?.textContent ?? '') : '';
};

test('FRM-1 FRM-2 FRM-3 LEA-2 fields and actions are sorted by rank, every rule is checked on each change, and no input is lost', async () => {
  const { user, load } = await openDetails();
  const form = field('Full name').form as HTMLFormElement;
  expect([...form.querySelectorAll('[name]')].map((one) => one.getAttribute('name'))).toEqual([
    'fullName',
    'contactNumber',
    'email',
    'town',
    'installationAddress',
    'landmark',
    'consent',
  ]);
  expect(buttons(/./, form).map(({ textContent }) => textContent)).toEqual(['Back', 'Continue']);
  expect(says('++261', form)).toBe(true);
  expect(link('Privacy', form)).toHaveAttribute('href', '/privacy-policy');
  expect(sendForm()).toBeDisabled();
  expect(says(/is required$/)).toBe(false);

  for (const [label, text, words] of [
    ['Full name', 'L', 'Full name must be at least 2 characters'],
    ['Full name', '<script>alert(1)</script>', 'Invalid Full name'],
    ['Full name', '', 'Full name is required'],
    ['Mobile number', '20123', 'Invalid Mobile No'],
    ['Email', 'a b', 'Invalid Email Id'],
    ['Installation address', 'Lot', 'Installation address must be at least 5 characters'],
    ['Installation address', '12345', 'Please enter a valid address'],
    ['Landmark', '-- / --', 'Please enter a valid landmark'],
    ['Full name', 'a'.repeat(81), 'Full name must be no more than 80 characters'],
    ['Landmark', 'by <b>', 'Invalid Landmark'],
  ] as const) {
    fill(field(new RegExp(`^${label}`)), 'x');
    fill(field(new RegExp(`^${label}`)), text);
    expect(says(words), `${label}: ${text}`).toBe(true);
    expect(sendForm()).toBeDisabled();
  }
  fill(field(/^Installation address/), 'Lot II 12 (near "La Sœur"): 2nd floor');
  expect(described(/^Installation address/)).toBe('');
  const options = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent);
  await user.click(field(/^Town/));
  fill(field(/^Town/), 'atlantis');
  expect(says('No match')).toBe(true);
  fill(field(/^Town/), 'TOAMAS');
  expect(options()).toContain('Toamasina');
  await user.keyboard('{Escape}');

  const { user: again } = await load(path);
  await seen('Your details');
  expect(described(/^Landmark/)).toBe('Invalid Landmark');
  fill(field(/^Landmark/), '');
  const values = typed('390000001');
  fill(field(/^Full name/), values.fullName);
  fill(field(/^Mobile number/), values.contactNumber);
  fill(field(/^Email/), values.email);
  fill(field(/^Installation address/), values.installationAddress);
  await again.click(field(/^Town/));
  fill(field(/^Town/), 'Antananarivo');
  await again.keyboard('{Enter}');
  const consent = () => document.querySelector<HTMLInputElement>('input[name=consent]') as HTMLInputElement;
  press(consent());
  expect(sendForm()).toBeEnabled();
  press(consent());
  expect(sendForm()).toBeDisabled();

  await load(path);
  await seen('Your details');
  expect(field(/^Full name/)).toHaveValue('Lova Rabe');
  expect(field(/^Town/)).toHaveValue('Antananarivo');
  expect(sendForm()).toBeDisabled();
  press(consent());
  expect(sendForm()).toBeEnabled();
});

test('LEA-1 NOS-4 a plan that was sent before the script leads on to the details, and leaves the address', async () => {
  await openPage(`${path}?plan=H50G30&isFaniloWorks=true&id=AW-8`);
  await seen('Your details');
  await waitFor(() => expect(window.location.search).toBe('?isFaniloWorks=true&id=AW-8'));
  press(button('Back'));
  await seen('Choose your plan');
  expect(document.querySelector('input[type=radio][value=H50G30]')).toBeChecked();

  sessionStorage.clear();
  await openPage(`${path}?plan=GONE`);
  await waitFor(() => expect(window.location.search).toBe(''));
  expect(button('Proceed')).toBeDisabled();
});

test('LEA-4 LEA-5 another operator’s number is verified by mail, and a town that is not served ends with thanks', async () => {
  const email = `foreign${freshLine()}@example.mg`;
  const { sentTo } = await toConfirm(typed('340000001', { town: 'Ambanja', email }));
  press(button('Confirm'));
  await seen(new RegExp(email));
  const code = await codeFor(email);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  fill(field(/^Code/), code);
  await vi.waitFor(() => expect(says(/^Our service is not available in Ambanja yet\./)).toBe(true), {
    timeout: inject('portal').waitMs,
  });
  expect(sentTo('/send-otp-hbb')[0]?.body).not.toHaveProperty('msisdn');
  expect(sentTo(submitCall)[0]?.body).toMatchObject({ lineType: 'INVALID', feasibility: false });
  expect(button('Explore other Products')).toBeEnabled();
  await act(() => vi.advanceTimersByTimeAsync(5_900));
  expect(window.location.pathname).toBe(path);
  await act(() => vi.advanceTimersByTimeAsync(200));
  vi.useRealTimers();
  await waitFor(() => expect(window.location.pathname).toBe('/'));
});

test('LEA-4 LEA-5 ERR-1 a lead without a response says so, and a retry sends the same lead without another code', async () => {
  const number = freshLine();
  const { between, load } = await toConfirm(typed(number));
  let leadId = '';
  between(submitCall, async (_, ask) => {
    leadId = (await (await ask()).json()).result.refLeadId;
    throw new TypeError('the connection broke');
  });
  await confirm(number);
  await seen('Something Went Wrong!');

  const { sentTo } = await load(path);
  await seen('Is everything right?');
  press(button('Confirm'));
  await seen(/^Congratulations!/);
  expect(leadId).not.toBe('');
  await seen(new RegExp(leadId));
  expect(sentTo(submitCall)).toHaveLength(1);
  expect(sentTo('/send-otp-hbb')).toEqual([]);
});

test('LEA-6 a request that was left before it was paid is paid from its status page, and nowhere but in this browser', async () => {
  const number = freshLine();
  const { sentTo, load } = await toConfirm(typed(number));
  await confirm(number);
  await seen(/^Congratulations!/);
  const [body] = sentTo(submitCall).map((call) => call.body);
  const leadId = /HB[0-9A-F]{20}/.exec(dialog()?.textContent ?? '')?.[0] ?? '';
  sessionStorage.clear();

  await load(`/hbb-lead-status?id=${leadId}`);
  await seen('Received, waiting for payment');
  await waitFor(() => expect(button('Pay now')).toBeEnabled());
  press(button('Pay now'));
  await waitFor(() => expect(window.location.pathname).toBe('/payment/start'));
  expect(JSON.parse(sessionStorage.getItem('QueryData') ?? '')).toMatchObject({
    leadId,
    msisdn: number,
    emailId: body?.email,
    productCode: 'H50G30',
    transactionType: 'HBB_LEADS',
  });

  await openPage(`/hbb-lead-status?id=${leadId}`, { cookies: new Map() });
  await seen(/^Not paid yet\./);
  expect(buttons('Pay now')).toEqual([]);
});

test('OTP-2 the dialog that is closed and opened again has the same code and the rest of its countdown', async () => {
  const { sentTo } = await toConfirm(typed(freshLine()));
  press(button('Confirm'));
  await seen(/^You can ask for another code in (60|59) s$/);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 20_000);
  press(button('Close', dialog() as HTMLElement));
  await seen('Is everything right?');
  press(button('Confirm'));
  await seen(/^You can ask for another code in (40|39|38) s$/);
  vi.useRealTimers();
  expect(sentTo('/send-otp-hbb')).toHaveLength(2);
});

describe('refusals of the portal', () => {
  test('LEA-5 ERR-1 when no further codes are sent the form is cleared, without blaming the customer', async () => {
    const { between } = await toConfirm(typed(freshLine()));
    // As if the number's budget were used up, which takes a day to recover.
    between('/send-otp-hbb', async () =>
      refusal(502, errorCodes.maxLimit, 'max limit exhausted, please try after sometime.'),
    );
    press(button('Confirm'));
    await seen('max limit exhausted, please try after sometime.');
    await waitFor(() => expect(dialog()).toBeNull());
    expect(field(/^Full name/)).toHaveValue('');
    expect(field(/^Town/)).toHaveValue('');
    expect(says(/is required$/)).toBe(false);
  });

  test('FRM-2 a field that the server refuses shows its error until it is changed', async () => {
    const number = freshLine();
    const { between } = await toConfirm(typed(number));
    let message = '';
    // As sent by a form whose rules were loaded before the operator made them stricter.
    between(submitCall, async (_, ask) => {
      const answer = await ask({ email: 'nobody' });
      const { error } = await answer.clone().json();
      expect([answer.status, error.field]).toEqual([422, 'email']);
      message = error.message;
      return answer;
    });
    await confirm(number);
    await waitFor(() => expect(described(/^Email/)).not.toBe(''));
    expect(described(/^Email/)).toBe(message);
    expect(dialog()).toBeNull();
    fill(field(/^Email/), `other${number}@example.mg`);
    expect(described(/^Email/)).toBe('');
  });

  test('LEA-1 a plan withdrawn while the form was open is reported, and choosing another keeps what was typed', async () => {
    const number = freshLine();
    const { between } = await toConfirm(typed(number));
    between(submitCall, async ({ body }, ask) => {
      const answer = await ask({ plan: { ...(body.plan as object), code: 'GONE30' } });
      expect(answer.status).toBe(409);
      return answer;
    });
    between('/product/v1/bundle', async (_, ask) => {
      const json = await (await ask()).json();
      const result = json.result.filter(({ description }: { description: string }) => description !== plan);
      return Response.json({ ...json, result });
    });
    await confirm(number);
    await seen('This plan is no longer on sale.');
    expect(dialog()).toBeNull();
    const radios = () => [...main().querySelectorAll<HTMLInputElement>('input[type=radio]')];
    await waitFor(() => expect(radios()).toHaveLength(3));
    press(radios()[0] as HTMLInputElement);
    expect(says('This plan is no longer on sale.')).toBe(false);
    press(button('Proceed'));
    await seen('Your details');
    expect(field(/^Full name/)).toHaveValue('Lova Rabe');
    expect(field(/^Installation address/)).toHaveValue('Lot II 12 Analakely');
  });
});
