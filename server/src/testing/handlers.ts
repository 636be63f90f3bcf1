import type { PaymentMethod } from '@portal/domain/operator.ts';

/** A way to pay that exists only in a test. */
export const payBy = (type: PaymentMethod['type'], mode: string, gateway: string): PaymentMethod => ({
  name: mode,
  type,
  mode,
  gateway,
  route: mode,
});

const ip = '203.0.113.7';
export const language = 'en-GB';
/** The caller's visit, as `visits` below returns it. */
export const visit = `visit from ${ip}`;
export const visits = { of: (request: { ip: string }) => `visit from ${request.ip}` };

/** Calls a handler by name, without HTTP. */
export function caller(handlers: object) {
  const byName = handlers as Record<string, (request: object) => Promise<unknown>>;
  return (name: string, request: object): Promise<unknown> => {
    const handler = byName[name];
    if (!handler) throw new Error(`There is no handler ${name}.`);
    return handler({ query: {}, headers: {}, ip, language, ...request });
  };
}
