import type { OperatorPack } from '@portal/domain/operator.ts';
import type { HttpClient } from './http-client.ts';
import type { PaymentGateway } from './ports.ts';
import type { Terms } from './terms.ts';

/** What a gateway may need to know besides its own settings. */
export interface GatewayContext {
  http: HttpClient;
  pack: OperatorPack;
  /** The portal's time. */
  now: () => Date;
  /** How this gateway behaves in time, as its contract says. */
  terms: Terms;
  /** Where it calls back, and the key of the part that names the payment. */
  callbacks: { callbackUrl: string; callbackKey: string };
}

/** Null where it cannot serve this operator. */
export type ConnectGateway<Settings> = (
  name: string,
  context: GatewayContext,
  settings: Settings,
) => PaymentGateway | null;
