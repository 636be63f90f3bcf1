import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWebAddress, sendHostedPage, takeForms, withQuery } from '../hosted/hosted-page.ts';
import { cardForm, cardHints, codeForm, readCard, rightCode } from '../hosted/test-cards.ts';
import { html, type SafeHtml } from '../phone/html.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import type { PaystackPayments, PaystackTransaction } from './paystack-payments.ts';

const name = 'Paystack';

/** Where a payment is shown: alone in the window, or in the popup's frame on a page of `shop`. */
interface Visit {
  transaction: PaystackTransaction;
  shop: string | undefined;
  reply: FastifyReply;
}

export function registerPaystackPages(app: FastifyInstance, payments: PaystackPayments): void {
  app.register(
    async (scope) => {
      takeForms(scope);

      const onVisit = (act: (visit: Visit, request: FastifyRequest) => FastifyReply) => {
        return async (request: FastifyRequest, reply: FastifyReply) => {
          const shop = shopOrigin(request);
          const transaction = payments.findByAccessCode(asText(asRecord(request.params).accessCode) ?? '');
          return transaction ? act({ transaction, shop, reply }, request) : sendUnknown(reply, shop);
        };
      };
      const onOpenVisit = (act: (visit: Visit, request: FastifyRequest) => FastifyReply) =>
        onVisit((visit, request) => (isOpen(visit.transaction) ? act(visit, request) : sendEnd(visit)));

      scope.get(
        '/checkout/:accessCode',
        onOpenVisit((visit) => sendCardPage(visit)),
      );

      scope.post(
        '/checkout/:accessCode',
        onOpenVisit((visit, request) => {
          const card = readCard(asRecord(request.body));
          if ('problem' in card) return sendCardPage(visit, card.problem);
          visit.transaction.fingerprint = card.fingerprint;
          if (card.behaviour === 'asksCode') {
            payments.askForCode(visit.transaction);
            return sendCodePage(visit);
          }
          return finish(visit, card.behaviour === 'pays');
        }),
      );

      scope.get(
        '/checkout/:accessCode/code',
        onOpenVisit((visit) => (visit.transaction.status === 'ongoing' ? sendCodePage(visit) : sendCardPage(visit))),
      );

      scope.post(
        '/checkout/:accessCode/code',
        onOpenVisit((visit, request) => {
          if (visit.transaction.status !== 'ongoing') return sendCardPage(visit);
          return finish(visit, asText(asRecord(request.body).code)?.trim() === rightCode);
        }),
      );

      scope.get(
        '/checkout/:accessCode/cancel',
        onVisit((visit) => (visit.transaction.paidAt === null ? sendLeft(visit) : sendEnd(visit))),
      );

      const [inline, end] = await Promise.all(['inline.js', 'popup-end.js'].map(readAsset));
      scope.get('/inline.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(inline));
      scope.get('/popup-end.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(end));
    },
    { prefix: '/paystack' },
  );

  function finish(visit: Visit, isGood: boolean): FastifyReply {
    if (isGood && !visit.transaction.declinesAll) payments.pay(visit.transaction);
    else payments.decline(visit.transaction);
    return sendEnd(visit);
  }
}

function sendCardPage(visit: Visit, problem?: string): FastifyReply {
  const { transaction } = visit;
  const body = html`${cardForm(address(visit), amountOf(transaction))}
  <a class="cancel" href="${address(visit, '/cancel')}">Cancel payment</a>
  ${cardHints}`;
  const amount = amountOf(transaction);
  const page = { provider: 'paystack', name, heading: 'Pay with card', amount, problem, body } as const;
  return sendHostedPage(visit.reply, page, problem === undefined ? 200 : 422);
}

function sendCodePage(visit: Visit): FastifyReply {
  const body = html`${codeForm(address(visit, '/code'))}
  <a class="cancel" href="${address(visit, '/cancel')}">Cancel payment</a>`;
  const amount = amountOf(visit.transaction);
  return sendHostedPage(visit.reply, {
    provider: 'paystack',
    name,
    heading: 'Your bank asks for a code',
    amount,
    body,
  });
}

/** The end of a payment: paid goes back to the shop at once, declined is told first. */
function sendEnd(visit: Visit): FastifyReply {
  const { transaction, shop, reply } = visit;
  const amount = amountOf(transaction);
  if (transaction.status === 'failed') {
    const body = html`<p>No money was taken.</p><a class="button" href="${address(visit, '/cancel')}">Close</a>`;
    return sendHostedPage(reply, { provider: 'paystack', name, heading: 'The card was declined', amount, body });
  }
  if (shop === undefined && transaction.callbackUrl !== undefined) return goBack(visit, transaction.callbackUrl);
  const body = html`<p>You can close this page.</p>${popupEnd(visit, 'success')}`;
  return sendHostedPage(reply, { provider: 'paystack', name, heading: 'Payment successful', amount, body });
}

/** Going away changes nothing: the payment can still be finished under its access code. */
function sendLeft(visit: Visit): FastifyReply {
  const { transaction, shop, reply } = visit;
  if (shop === undefined && transaction.callbackUrl !== undefined) return goBack(visit, transaction.callbackUrl);
  const body = html`<p>You can close this page.</p>${popupEnd(visit, 'cancel')}`;
  const amount = amountOf(transaction);
  return sendHostedPage(reply, { provider: 'paystack', name, heading: 'You left the payment', amount, body });
}

function sendUnknown(reply: FastifyReply, shop: string | undefined): FastifyReply {
  const told =
    shop === undefined ? html`` : html`<span id="popup-end" data-shop="${shop}" data-event="error"></span>${endScript}`;
  const body = html`<p>There is no payment under this address.</p>${told}`;
  return sendHostedPage(reply, { provider: 'paystack', name, heading: 'Not found', amount: '', body }, 404);
}

const endScript = html`<script src="/paystack/popup-end.js"></script>`;

function popupEnd({ transaction, shop }: Visit, event: 'success' | 'cancel'): SafeHtml {
  if (shop === undefined) return html``;
  return html`<span id="popup-end" data-shop="${shop}" data-event="${event}" data-id="${transaction.id}" data-reference="${transaction.reference}"></span>${endScript}`;
}

function goBack({ transaction, reply }: Visit, callbackUrl: string): FastifyReply {
  const { reference } = transaction;
  return reply.redirect(withQuery(callbackUrl, { trxref: reference, reference }), 303);
}

function address({ transaction, shop }: Visit, below = ''): string {
  const query = shop === undefined ? '' : `?shop=${encodeURIComponent(shop)}`;
  return `/paystack/checkout/${transaction.accessCode}${below}${query}`;
}

/** Only an origin: the end of the payment is told to a page of it and to nobody else. */
function shopOrigin(request: FastifyRequest): string | undefined {
  const shop = asText(asRecord(request.query).shop);
  return isWebAddress(shop) && new URL(shop).origin === shop ? shop : undefined;
}

function isOpen({ status }: PaystackTransaction): boolean {
  return status === 'abandoned' || status === 'ongoing';
}

function amountOf({ amount, currency }: PaystackTransaction): string {
  return `${currency} ${(amount / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;
}

function readAsset(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}
