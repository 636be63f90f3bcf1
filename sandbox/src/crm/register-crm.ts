import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { asRecord, asText, type JsonRecord, parseJson } from '../wire/json-fields.ts';
import { invalid, queryText, replyTmfError, TmfError } from '../wire/tmf-error.ts';

const keyId = 'sandbox-crm-key';
const secret = 'sandbox-crm-secret';
const prefix = '/crm';
const leadBase = `${prefix}/tmf-api/salesManagement/v4/salesLead`;
const orderBase = `${prefix}/tmf-api/productOrderingManagement/v4/productOrder`;
const signatureLifeSeconds = 300;
const leadStatuses = ['acknowledged', 'pending', 'inProgress', 'accepted', 'rejected', 'cancelled'];

/** The operator's CRM: sales leads by TMF699, keyed by the caller's id, and orders by TMF622. */
export function registerCrm(app: FastifyInstance, context: SandboxContext): void {
  const leads = new Map<string, JsonRecord>();
  const orders = new Map<string, JsonRecord[]>();
  context.state.onReset(() => {
    leads.clear();
    orders.clear();
  });

  app.register(async (scope) => {
    // The signature covers the raw bytes, so read them before parsing.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, _request, reply) => replyTmfError(error, reply));
    const signed = (request: FastifyRequest): JsonRecord => {
      const body = typeof request.body === 'string' ? request.body : '';
      requireSignature(request, body);
      return asRecord(parseJson(body));
    };
    const call = (operation: string, moves: boolean) => ({ provider: 'crm' as const, operation, moves });

    scope.get(
      leadBase,
      withFaults(context, call('lookup', false), (request) => {
        signed(request);
        const lead = leads.get(queryText(request, 'externalId') ?? '');
        return lead ? [lead] : [];
      }),
    );
    scope.post(
      leadBase,
      withFaults(context, call('lead', true), (request, reply, { refused }) => {
        const body = signed(request);
        const externalId = asText(body.externalId);
        if (externalId === undefined) throw invalid('externalId is missing.');
        if (refused) throw new TmfError(422, '40', 'lead refused', 'The lead was refused.');
        const known = leads.get(externalId);
        if (known) return known;
        const lead = { ...body, id: `SL-${randomUUID().slice(0, 8)}`, status: 'acknowledged' };
        leads.set(externalId, lead);
        reply.code(201);
        return lead;
      }),
    );
    scope.get(
      orderBase,
      withFaults(context, call('orders', false), (request) => {
        signed(request);
        return orders.get(queryText(request, 'externalId') ?? '') ?? [];
      }),
    );
    scope.post(
      orderBase,
      withFaults(context, call('order', true), (request, reply, { refused }) => {
        const body = signed(request);
        const externalId = asText(body.externalId);
        if (externalId === undefined) throw invalid('externalId is missing.');
        if (refused) throw new TmfError(422, '41', 'order refused', 'The order was refused.');
        const order = { ...body, id: `PO-${randomUUID().slice(0, 8)}`, state: 'acknowledged' };
        const [total] = Array.isArray(body.orderTotalPrice) ? body.orderTotalPrice : [];
        const { value } = asRecord(asRecord(asRecord(asRecord(total).price).taxIncludedAmount));
        context.state.books.deliver(externalId, typeof value === 'number' ? value : 0, '');
        orders.set(externalId, [...(orders.get(externalId) ?? []), order]);
        reply.code(201);
        return order;
      }),
    );
  });

  // What the operator's staff do with a lead, for tests and manual use.
  app.get('/sandbox/crm/leads', async () => [...leads.values()]);
  app.get('/sandbox/crm/orders', async () => [...orders.values()].flat());
  app.post('/sandbox/crm/leads/:id', async (request, reply) => {
    const lead = leads.get(asText(asRecord(request.params).id) ?? '');
    const status = asText(asRecord(request.body).status);
    if (!lead || !status || !leadStatuses.includes(status)) return reply.code(404).send({ message: 'No such lead.' });
    lead.status = status;
    return lead;
  });
}

function requireSignature(request: FastifyRequest, body: string): void {
  const { 'x-key-id': key, 'x-signed-at': at, 'x-signature': given } = request.headers;
  const path = request.url.slice(prefix.length);
  const expected = createHmac('sha256', secret).update([at, request.method, path, body].join('\n')).digest();
  const signature = Buffer.from(typeof given === 'string' ? given : '', 'hex');
  const isRight = signature.length === expected.length && timingSafeEqual(signature, expected);
  const isFresh = Math.abs(Date.now() / 1000 - Number(at)) <= signatureLifeSeconds;
  if (key !== keyId || !isRight || !isFresh)
    throw new TmfError(401, '1', 'unauthorized', 'The signature is missing, old or wrong.');
}
