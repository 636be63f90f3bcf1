import { type CallName, callPath, calls } from '@portal/contract/calls.ts';
import { fireEvent, waitFor } from '@testing-library/react';
import { expect, inject, test } from 'vitest';
import { button, field, fill, press, says, seen } from '../testing/look.fixture.ts';
import { freshLine, leadValues, orderFor } from '../testing/orders.fixture.ts';
import { codeFor, type OpenPage, openPage, refusal } from '../testing/page.fixture.tsx';

/** The steps that trigger the call, and the text expected when its response has no message. */
interface Walk {
  open: () => Promise<OpenPage>;
  /** The steps up to the press that sends the call; absent if opening the page sends it. */
  go: (page: OpenPage) => unknown;
  own: string | RegExp;
  /** Other calls to the same path are not intercepted. */
  only?: (query: Record<string, string>) => boolean;
}

const wentWrong = 'Something Went Wrong!';
const noAnswer = /We got no answer/;

const goTo = (path: string) => () => window.history.pushState(null, '', path);
const onAnotherPage = () => openPage('/about');

let leadNumber = '';
const lead = () => {
  leadNumber = freshLine();
  const values = leadValues(leadNumber);
  const step = { at: 'confirming' };
  return openPage('/hbb-lead', {
    session: { lead_flow: { planCode: 'H50G30', values, point: { lat: -18.9, lng: 47.52 }, step } },
  });
};
const confirmLead = () => press(button('Confirm'));

async function openProof() {
  await waitFor(() => expect(button('Fetch your Postpaid Bill')).toBeEnabled());
  press(button('Fetch your Postpaid Bill'));
  await seen('Get OTP');
}
async function proveByAccount() {
  await openProof();
  press(button('Use the account number instead'));
  fill(field('Account number'), '1000000002');
  press(button('Get Outstanding by account number'));
}
const postpaid = () => openPage('/postpaid-bill-pay?msisdn=390000002');

let payer = '';
const paying = (way: string) => () => {
  payer = freshLine();
  return openPage(`/payment/start/${way}`, { order: orderFor(payer, { emailId: 'client@example.mg' }) });
};
async function askForAirtimeCode() {
  await waitFor(() => expect(button('Continue')).toBeEnabled());
  press(button('Continue'));
}
async function typeCode(code: string) {
  await waitFor(() => fill(field(/^Code/), code));
}

const { fetch: ask } = globalThis;

/** The status page of a payment that was started; there is no ticket about one that was not. */
async function paidPage() {
  const { url } = inject('portal');
  const send = async (name: CallName, body: object) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const answer = await ask(url + callPath(name), { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()).result;
  };
  const mobileNumber = `0${freshLine()}`;
  const way = { paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY', transactionType: 'PREPAID_RECHARGE' };
  const order = { amount: 1_000, mobileNumber, paymentMobile: mobileNumber, currencyCode: 'MGA', ...way };
  const { transactionId } = await send('initiate', order);
  await send('process', { transactionId });
  return openPage(`/payment/status?id=${transactionId}`);
}

/** For every call of the contract: how to make it fail, or why no failure is shown. */
const walks: Record<CallName, Walk | string> = {
  lineType: {
    open: () => openPage('/prepaid-recharge'),
    go: () => {
      fill(field('Mobile number'), freshLine());
    },
    own: /^We could not check this number just now/,
  },
  bundles: {
    open: () => openPage('/data-bundle'),
    go: () => {
      fill(field('Mobile number'), freshLine());
    },
    own: 'We could not load the bundles just now.',
  },
  openInvoices: {
    open: () => openPage('/orp/fixed-internet'),
    go: () => {
      fill(field('Account number'), 'PA1000000001');
      fill(field('Email'), 'client@example.mg');
      press(button('SHOW BILLS'));
    },
    own: 'We could not ask for your bills just now',
  },
  validateAccount: { open: postpaid, go: proveByAccount, own: wentWrong },
  bill: { open: postpaid, go: proveByAccount, own: wentWrong },
  sendInvoiceCode: {
    open: postpaid,
    go: async () => {
      await openProof();
      press(button('Get OTP'));
    },
    own: 'The code could not be sent.',
  },
  verifyInvoiceCode: {
    open: postpaid,
    go: async () => {
      await openProof();
      press(button('Get OTP'));
      await typeCode('000000');
    },
    own: wentWrong,
  },
  sendCode: { open: paying('airtime'), go: askForAirtimeCode, own: 'The code could not be sent.' },
  verifyCode: {
    open: paying('airtime'),
    go: async () => {
      await askForAirtimeCode();
      await typeCode('000000');
    },
    own: wentWrong,
  },
  queryBalance: {
    open: paying('airtime'),
    go: async () => {
      await askForAirtimeCode();
      await typeCode(await codeFor(payer));
    },
    own: 'We could not reach the payment service just now.',
  },
  initiate: {
    open: paying('card'),
    go: askForAirtimeCode,
    own: 'We could not reach the payment service just now.',
  },
  mpesaInitiate: {
    open: paying('mpesa'),
    go: async () => {
      await waitFor(() => expect(button('Continue to pay')).toBeEnabled());
      press(button('Continue to pay'));
    },
    own: 'We could not reach the payment service just now.',
  },
  validateBrandNumber: { open: lead, go: confirmLead, own: wentWrong },
  sendLeadCode: { open: lead, go: confirmLead, own: 'The code could not be sent.' },
  submitLead: {
    open: lead,
    go: async () => {
      confirmLead();
      await seen(/code/i);
      await typeCode(await codeFor(leadNumber));
    },
    own: wentWrong,
  },
  cities: { open: onAnotherPage, go: goTo('/hbb-lead'), own: 'Home broadband cannot be ordered here just now.' },
  trackLead: {
    open: () => openPage('/hbb-lead-status'),
    go: () => {
      fill(field(/number|id/i), 'LD123');
      press(button('Track'));
    },
    own: wentWrong,
  },
  saveForm: {
    open: () => openPage('/give_your_feedback'),
    go: () => {
      fireEvent.change(field('What is it about?'), { target: { value: 'idea' } });
      fill(field(/^Your message/), 'More shops in the south, please.');
      press(button('Send'));
    },
    own: wentWrong,
  },
  writeTicket: {
    open: paidPage,
    go: async () => {
      await waitFor(() => fill(field(/^Your message/), 'Where is my credit?'));
      press(button('Send'));
    },
    own: wentWrong,
  },
  geocode: {
    open: () => openPage('/storeLocator'),
    go: ({ between }) => {
      between('/geo/v1/suggest', async () => Response.json({ statusCode: 200, result: { suggestions: [] } }));
      fill(field('City or pincode'), 'Antsirabe');
      press(button('Search'));
    },
    own: 'The shops could not be loaded just now.',
  },
  shops: {
    open: () => openPage('/storeLocator'),
    go: () => {
      fill(field('City or pincode'), 'Antsirabe');
      press(button('Search'));
    },
    own: 'The shops could not be loaded just now.',
  },
  shopList: {
    open: onAnotherPage,
    go: goTo('/store_finder/dealers'),
    own: 'The shops could not be loaded just now.',
  },
  activePackage: {
    open: onAnotherPage,
    go: goTo('/contact-us'),
    only: ({ pageUrl }) => pageUrl === '/contact-us',
    own: 'This page cannot be shown just now',
  },
  faqs: { open: onAnotherPage, go: goTo('/gethelp/codes'), own: 'The answers could not be fetched.' },
  vote: {
    open: () => openPage('/gethelp/codes/code-missing/code-not-arrived'),
    go: async () => {
      await waitFor(() => press(button('Yes')));
    },
    own: /^Your vote did not get through/,
  },

  resendInvoiceCode: 'told as the first sending is, which otp-flow.test.ts shows',
  resendCode: 'told as the first sending is, which otp-flow.test.ts shows',
  process: 'whether money moved is not known: the status page finds out',
  mpesaProcess: 'whether money moved is not known: the status page finds out',
  authProcess: 'whether money moved is not known: the status page finds out',
  transactionStatus: 'asked again until there is an answer',
  transactionFetch: 'asked again until there is an answer',
  ticket: 'asked again until there is an answer',
  paymentOptions: 'told by the payment page together with that nothing was taken',
  paymentOptionsByChannel: 'told by the payment page together with that nothing was taken',
  suggestPlaces: 'suggestions that do not come leave the search by its button',
  recordEvent: 'nobody waits for it',
  recordSearch: 'nobody waits for it',
  config: 'what is shown does not wait for it',
  announcements: 'without an answer nothing is announced',
  fetchBalance: 'not offered by this operator',
  verifyUser: 'not offered by this operator',
  authInitiate: 'not offered by this operator',
  exchangeRate: 'not offered by this operator',
  productConfig: 'for other clients',
  paystackCallback: 'for other clients',
  voteByLink: 'for other clients',
};

const statuses = [429, 500, 502, 503];
const walked = Object.entries(walks).flatMap(([name, walk]) =>
  typeof walk === 'string' ? [] : ([[name as CallName, walk]] as const),
);

test.each(walked)(
  "D15 APP-13 %s that fails shows the answer's words, and where it has none ours, never that no answer came",
  async (name, { open, go, own, only }) => {
    const place = walked.findIndex(([one]) => one === name);
    const path = callPath(name, { slug: 'fanilo' });
    const answer = { said: false };
    const status = () => statuses[(place + (answer.said ? 0 : 2)) % statuses.length] as number;
    const words = `Said at ${status()} about ${name}`;
    for (const said of [true, false]) {
      answer.said = said;
      const page = await open();
      page.between(path, async (call, ask) => {
        if (only && !only(call.query)) return ask();
        return said
          ? refusal(status(), 'UNAVAILABLE', words)
          : new Response('<html>Bad gateway</html>', { status: status() });
      });
      await go(page);
      await seen(said ? words : own);
      expect(says(noAnswer), name).toBe(false);
      expect(page.sentTo(path).length, `${calls[name].method} ${path}`).toBeGreaterThan(0);
    }
  },
);

test('APP-14 a code whose verification got no response stays in its boxes, and a wrong one is cleared', async () => {
  const page = await postpaid();
  await openProof();
  press(button('Get OTP'));
  page.between(callPath('verifyInvoiceCode'), () => Promise.reject(new TypeError('Failed to fetch')));
  await typeCode('000000');
  await seen(noAnswer);
  const boxes = () => field(/^Code/);
  expect(boxes()).toHaveValue('000000');
  page.between(callPath('verifyInvoiceCode'), null);
  press(button('Get Outstanding'));
  await waitFor(() => expect(boxes()).toHaveValue(''));
});
