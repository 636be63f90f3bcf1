import type { Access } from '@portal/contract/define-call.ts';
import type { LimitClass } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says which limit it draws from and which proof it asks for; a test walks them all. */
    access?: { limit: LimitClass | 'none'; proof: Access['proof'] };
    call?: string;
  }
}
