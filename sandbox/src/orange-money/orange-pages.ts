import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendHostedPage, takeForms } from '../hosted/hosted-page.ts';
import { html, type SafeHtml } from '../phone/html.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { isOpen, type OrangePayment, type OrangePayments, rightCode } from './orange-payments.ts';

const name = 'Orange Money';

/** The pages where a customer confirms: first the number, then the code its owner generates on the phone. */
export function registerOrangePages(app: FastifyInstance, payments: OrangePayments): void {
  app.register(
    async (scope) => {
      takeForms(scope);

      const onPayment = (
        act: (payment: OrangePayment, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
      ) => {
        return async (request: FastifyRequest, reply: FastifyReply) => {
          const payment = payments.find(asText(asRecord(request.params).payToken) ?? '');
          return payment && isOpen(payment) ? act(payment, request, reply) : sendClosed(reply, payment);
        };
      };

      scope.get(
        '/:payToken',
        onPayment((payment, _request, reply) => sendNumberPage(reply, payment)),
      );

      scope.post(
        '/:payToken',
        onPayment((payment, request, reply) => {
          const number = payments.lineOf(asText(asRecord(request.body).number) ?? '');
          const problem = payments.choose(payment, number);
          return problem === undefined ? sendCodePage(reply, payment) : sendNumberPage(reply, payment, problem);
        }),
      );

      scope.get(
        '/:payToken/code',
        onPayment((payment, _request, reply) =>
          payment.number === null ? sendNumberPage(reply, payment) : sendCodePage(reply, payment),
        ),
      );

      scope.post(
        '/:payToken/code',
        onPayment((payment, request, reply) => {
          if (payment.number === null) return sendNumberPage(reply, payment);
          const outcome = payments.confirm(payment, asText(asRecord(request.body).code)?.trim() ?? '');
          if (outcome === 'wrong code') return sendCodePage(reply, payment, 'The code is wrong.');
          return reply.redirect(payment.returnUrl, 303);
        }),
      );
    },
    { prefix: '/orange/pay' },
  );
}

function sendNumberPage(reply: FastifyReply, payment: OrangePayment, problem?: string): FastifyReply {
  const form = html`<form method="post" action="/orange/pay/${payment.payToken}">
    <label class="wide">Orange Money number <input name="number" inputmode="tel" autocomplete="tel" maxlength="13" required></label>
    <button>Continue</button>
  </form>`;
  return sendForm(reply, payment, { heading: 'Pay with Orange Money', form, problem });
}

function sendCodePage(reply: FastifyReply, payment: OrangePayment, problem?: string): FastifyReply {
  const form = html`<form method="post" action="/orange/pay/${payment.payToken}/code">
    <label class="wide">One-time code <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required></label>
    <button>Confirm ${amountOf(payment)}</button>
  </form>
  <p class="hint">On a real phone a short call makes the code; in the sandbox it is ${rightCode}.</p>`;
  return sendForm(reply, payment, { heading: 'Confirm the payment', form, problem });
}

function sendForm(
  reply: FastifyReply,
  payment: OrangePayment,
  shown: { heading: string; form: SafeHtml; problem: string | undefined },
): FastifyReply {
  // Cancelling changes nothing: the payment expires.
  const body = html`${shown.form}<a class="cancel" href="${payment.cancelUrl}">Cancel and go back</a>`;
  const { heading, problem } = shown;
  const page = { provider: 'orange', name, heading, amount: amountOf(payment), problem, body } as const;
  return sendHostedPage(reply, page, problem === undefined ? 200 : 422);
}

function sendClosed(reply: FastifyReply, payment: OrangePayment | undefined): FastifyReply {
  const back = payment ? html`<a class="button" href="${payment.returnUrl}">Back to the shop</a>` : html``;
  const body = html`<p>Nothing more can be paid on this page.</p>${back}`;
  const amount = payment ? amountOf(payment) : '';
  return sendHostedPage(reply, { provider: 'orange', name, heading: 'This page is closed', amount, body }, 410);
}

function amountOf(payment: OrangePayment): string {
  return `MGA ${payment.amount.toLocaleString('en')}`;
}
