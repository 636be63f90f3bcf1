import { createHmac } from 'node:crypto';
import type { Money } from './books.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Portal } from './portal.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';
import { callbackKey } from './worker.ts';

interface Callback {
  provider: string;
  path: string;
  body: Buffer;
  headers: Record<string, string>;
}

interface Parts {
  time: VirtualTime;
  random: Random;
  faults: FaultPlan;
  portal: Portal;
}

/** The callbacks of the providers, and of strangers who forge or replay them. */
export class Callbacks {
  readonly #parts: Parts;
  readonly #sent: Callback[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The provider sends a callback; on the way it may be lost, doubled, reordered or forged. */
  send(money: Money): void {
    const { random, faults } = this.#parts;
    const truth = money.state === 'taken';
    if (!faults.strikes('callbackLost')) this.#sendOne(money, truth);
    if (faults.strikes('callbackDoubled'))
      for (let copies = random.whole(1, 20); copies > 0; copies -= 1) this.#sendOne(money, truth);
    if (faults.strikes('callbacksContradict')) this.#sendOne(money, !truth);
    if (faults.strikes('callbackForged')) this.#sendOne(money, true, 'a wrong key');
    const old = this.#sent.length > 0 && faults.strikes('callbackReplayed');
    if (old) this.#deliver(this.#sent[random.whole(0, this.#sent.length - 1)] as Callback);
  }

  #sendOne({ gateway, reference, receipt }: Money, isTaken: boolean, key = callbackKey): void {
    const transaction = { id: reference, message: 'x', status_code: isTaken ? 'TS' : 'TF', airtel_money_id: receipt };
    const hash = createHmac('sha256', key).update(JSON.stringify(transaction)).digest('base64');
    const bodies: Record<string, object> = {
      wallet: { transaction, hash },
      smartcash: { reference },
      card: { data: { tx_ref: reference, status: isTaken ? 'successful' : 'failed' } },
      paystack: { event: isTaken ? 'charge.success' : 'charge.failed', data: { reference } },
    };
    if (gateway === 'airtime') return;
    const body = Buffer.from(JSON.stringify(bodies[gateway] ?? { status: isTaken ? 'SUCCESS' : 'FAILED' }));
    const signature = createHmac('sha512', key).update(body).digest('hex');
    const mark = createHmac('sha256', key)
      .update(gateway === 'mpesa' ? `callback:${reference}` : reference)
      .digest('hex');
    const path = gateway === 'mpesa' || gateway === 'orange' ? `${reference}/${mark.slice(0, 32)}` : '';
    const callback = {
      provider: gateway,
      path,
      body,
      headers: { 'verif-hash': key, 'x-paystack-signature': signature },
    };
    this.#sent.push(callback);
    this.#deliver(callback);
  }

  #deliver(callback: Callback): void {
    const { time, random, portal } = this.#parts;
    time.after(random.whole(0, 30), () => portal.launch(({ payments }) => payments.receiveCallback(callback)));
  }
}
