import type { OperatorPack } from '@portal/domain/operator.ts';
import type { HttpClient } from './http-client.ts';
import type { PaymentGateway } from './ports.ts';
import type { Terms } from './provider-terms.ts';

/** Inputs of a gateway besides its own settings. */
export interface GatewayContext {
  http: HttpClient;
  pack: OperatorPack;
  /** The portal's time. */
  now: () => Date;
  /** The gateway's time limits, according to its contract. */
  terms: Terms;
  /** Its callback URL, and the key that authenticates the part naming the payment. */
  callbacks: { callbackUrl: string; callbackKey: string };
}

/** Null if the gateway cannot serve this operator. */
export type ConnectGateway<Settings> = (
  name: string,
  context: GatewayContext,
  settings: Settings,
) => PaymentGateway | null;
