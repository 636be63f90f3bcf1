import { type HttpAnswer, type HttpCall, HttpClient } from '../connectors/http-client.ts';
import type { ChargingProvider } from './charging-provider.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';
import { answered, type WalletProvider } from './wallet-provider.ts';

const silence = (detail: string) => ({ kind: 'silence', detail }) as const;

/** Between the portal's real connectors and the simulated providers: what is lost, late or garbled is so here. */
export class SimulatedNetwork extends HttpClient {
  readonly #parts: { wallet: WalletProvider; charging: ChargingProvider; faults: FaultPlan; random: Random };
  /** Throws when the process that calls has died, before or after the other side has acted. */
  edge: () => void = () => {};

  constructor(parts: { wallet: WalletProvider; charging: ChargingProvider; faults: FaultPlan; random: Random }) {
    super();
    this.#parts = parts;
  }

  override async call(call: HttpCall): Promise<HttpAnswer> {
    const { wallet, charging, faults, random } = this.#parts;
    this.edge();
    const { pathname, searchParams } = new URL(call.url);
    const isCharging = pathname.startsWith('/charging');
    const isRefund = pathname.endsWith('/refund');
    const isToken = pathname.endsWith('/token') || pathname.endsWith('/encryption-keys');
    if (isToken) return wallet.handle(call.method, pathname, call.body);
    if (faults.strikes('requestLost'))
      return random.chance(0.3) ? { ...silence('no connection'), isUnsent: true } : silence('lost on the way');
    if (!isCharging && faults.strikes('tokenExpired')) return answered({ error: 'token expired' }, 401);
    const moves = call.method === 'POST';
    const answer = isCharging
      ? await charging.handle(call.method, pathname, searchParams, call.body)
      : await wallet.handle(call.method, pathname, call.body);
    this.edge();
    if (moves && isCharging && faults.strikes('deliveryReplyLost')) return silence('the reply was lost');
    if (moves && isRefund && faults.strikes('refundReplyLost')) return silence('the reply was lost');
    if (faults.strikes('replyLost')) return silence('the reply was lost');
    if (faults.strikes('replySlow')) return silence('TimeoutError');
    if (faults.strikes('brokenAnswer')) return broken(random);
    if (moves && !isCharging && faults.strikes('unlistedCode'))
      return answered({ status: { success: false, response_code: 'DP00899999999' } });
    return answer;
  }
}

/** Gateways in front of a provider answer for it: with errors, with pages, with half of what it said. */
function broken(random: Random): HttpAnswer {
  return random.pick<HttpAnswer>([
    answered({ error: 'internal' }, 500),
    answered({ error: 'bad gateway' }, 502),
    answered({}, 503),
    answered({ error: 'slow down' }, 429),
    silence('HTTP 200 with a body that is not JSON'),
    answered(null),
    answered({ data: { transaction: {} } }),
  ]);
}
