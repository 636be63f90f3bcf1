import swagger from '@fastify/swagger';
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
    transformObject: jsonSchemaTransformObject,
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
