import swagger from '@fastify/swagger';
import { transactionStreamPath } from '@portal/contract/calls.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { registerCalls } from './http/register-calls.ts';

/** Not a call of the contract, since its response does not end, but it belongs in the document. */
const streamOperation = {
  operationId: 'transactionStream',
  summary: 'Says when the state of a payment is worth asking for again; it tells nothing else.',
  tags: ['payments'],
  parameters: [{ name: 'tid', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    200: {
      description: 'Server-sent events: `open` at once, `look` whenever the state may have changed.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    404: { description: 'No payment has this id.' },
    429: { description: 'Too many streams or too many requests of this client.' },
    503: { description: 'The portal hears of no changes right now: ask every ten seconds instead.' },
  },
};

function withStream<T extends { paths?: object }>(document: T): T {
  return { ...document, paths: { ...document.paths, [transactionStreamPath]: { get: streamOperation } } };
}

/** Must be registered before the calls it describes. */
export async function describeCalls(app: FastifyInstance, pack: OperatorPack): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${pack.brand.name} portal`, version: '1.0.0', description: 'Generated from the contract.' },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => withStream(jsonSchemaTransformObject(document)),
  });
}

/** The document of the default operator, from the contract alone: no database, no providers. */
export async function openApiDocument(): Promise<object> {
  const pack = await loadPack('mg');
  const app = Fastify();
  await describeCalls(app, pack);
  registerCalls(app, {
    handlers: null,
    limits: { take: async () => null, giveBack: () => {}, settle: async () => {} },
    slug: pack.brand.slug,
    languageOf: () => pack.defaultLocale,
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
