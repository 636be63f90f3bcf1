import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendHostedPage, takeForms, withQuery } from '../hosted/hosted-page.ts';
import { cardForm, cardHints, codeForm, readCard, rightCode } from '../hosted/test-cards.ts';
import { html } from '../phone/html.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import type { CardCheckout, CardPayments, CardTransaction } from './card-payments.ts';

const name = 'Card checkout';

/** The gateway's pages where a customer types a card; the merchant never sees it. */
export function registerCardPages(app: FastifyInstance, payments: CardPayments): void {
  app.register(
    async (scope) => {
      takeForms(scope);

      const onCheckout = (
        act: (checkout: CardCheckout, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
      ) => {
        return async (request: FastifyRequest, reply: FastifyReply) => {
          const checkout = payments.checkout(asText(asRecord(request.params).token) ?? '');
          if (!checkout) return sendClosed(reply, undefined);
          return payments.isOpen(checkout) ? act(checkout, request, reply) : sendClosed(reply, checkout);
        };
      };

      scope.get(
        '/:token',
        onCheckout((checkout, _request, reply) => sendCardPage(reply, checkout)),
      );

      scope.post(
        '/:token',
        onCheckout((checkout, request, reply) => {
          const card = readCard(asRecord(request.body));
          if ('problem' in card) return sendCardPage(reply, checkout, card.problem);
          const attempt = payments.begin(checkout);
          if (card.behaviour === 'asksCode') return sendCodePage(reply, checkout, attempt);
          return finish(reply, checkout, attempt, card.behaviour === 'pays' && !checkout.declinesAll);
        }),
      );

      scope.get(
        '/:token/:attempt',
        onCheckout((checkout, request, reply) => {
          const attempt = openAttempt(checkout, request);
          return attempt ? sendCodePage(reply, checkout, attempt) : sendCardPage(reply, checkout);
        }),
      );

      scope.post(
        '/:token/:attempt',
        onCheckout((checkout, request, reply) => {
          const attempt = openAttempt(checkout, request);
          if (!attempt) return sendCardPage(reply, checkout);
          const isRight = asText(asRecord(request.body).code)?.trim() === rightCode;
          return finish(reply, checkout, attempt, isRight && !checkout.declinesAll);
        }),
      );
    },
    { prefix: '/card/pay' },
  );

  function openAttempt(checkout: CardCheckout, request: FastifyRequest): CardTransaction | undefined {
    const id = Number(asRecord(request.params).attempt);
    return payments.attempts(checkout.reference).find((one) => one.id === id && one.status === 'pending');
  }

  function finish(reply: FastifyReply, checkout: CardCheckout, attempt: CardTransaction, isPaid: boolean) {
    payments.finish(checkout, attempt, isPaid ? 'successful' : 'failed');
    if (!isPaid && payments.isOpen(checkout))
      return sendCardPage(reply, checkout, 'The card was declined. Try another.');
    return reply.redirect(returnAddress(checkout, attempt), 303);
  }
}

function sendCardPage(reply: FastifyReply, checkout: CardCheckout, problem?: string): FastifyReply {
  const body = html`${cardForm(`/card/pay/${checkout.token}`, amountOf(checkout))}
  <a class="cancel" href="${cancelAddress(checkout)}">Cancel and go back</a>
  ${cardHints}`;
  const heading = `Pay ${checkout.title}`;
  const page = { provider: 'card', name, heading, amount: amountOf(checkout), problem, body } as const;
  return sendHostedPage(reply, page, problem === undefined ? 200 : 422);
}

function sendCodePage(reply: FastifyReply, checkout: CardCheckout, attempt: CardTransaction): FastifyReply {
  const body = html`${codeForm(`/card/pay/${checkout.token}/${attempt.id}`)}
  <a class="cancel" href="${cancelAddress(checkout)}">Cancel and go back</a>`;
  const heading = 'Your bank asks for a code';
  return sendHostedPage(reply, { provider: 'card', name, heading, amount: amountOf(checkout), body });
}

function sendClosed(reply: FastifyReply, checkout: CardCheckout | undefined): FastifyReply {
  const back = checkout ? html`<a class="button" href="${checkout.redirectUrl}">Back to ${checkout.title}</a>` : html``;
  const body = html`<p>Nothing more can be paid on this page.</p>${back}`;
  const amount = checkout ? amountOf(checkout) : '';
  return sendHostedPage(reply, { provider: 'card', name, heading: 'This page is closed', amount, body }, 410);
}

function returnAddress(checkout: CardCheckout, attempt: CardTransaction): string {
  const { status, reference, id } = attempt;
  return withQuery(checkout.redirectUrl, { status, tx_ref: reference, transaction_id: String(id) });
}

/** Cancelling changes nothing: the checkout stays open until it expires. */
function cancelAddress(checkout: CardCheckout): string {
  return withQuery(checkout.redirectUrl, { status: 'cancelled', tx_ref: checkout.reference });
}

function amountOf(checkout: CardCheckout): string {
  return `${checkout.currency} ${Number(checkout.amount).toLocaleString('en')}`;
}
