import { standardBudgets } from '@portal/domain/budgets.ts';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import type { Kysely } from 'kysely';
import { createBudgets } from '../budgets/budgets.service.ts';
import { createChallenges } from '../challenges/challenges.service.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { createOtp, type Otp } from '../otp/otp.service.ts';
import { Broken } from './broken.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';

const secret = 'a secret of the simulation, long enough';

/** Requests and guesses codes while the SMS centre fails. The limits must still hold. */
export class CodeVisitor {
  readonly #random: Random;
  readonly #faults: FaultPlan;
  readonly #now: () => Date;
  readonly #otp: Otp;
  readonly #number: string;
  #sent: { at: number; code: string }[] = [];
  #asked = 0;
  #ids = new Map<string, number>();

  constructor(db: Kysely<Schema>, random: Random, faults: FaultPlan, now: () => Date) {
    this.#random = random;
    this.#faults = faults;
    this.#now = now;
    this.#number = `0${pack.numbering.ownPrefixes[0]}${random.whole(1_000_000, 9_999_999)}`;
    const budgets = createBudgets(db, { secret, scale: 1, rules: standardBudgets, now, events: { refused() {} } });
    const tokens = sealedTokens(secret, now);
    this.#otp = createOtp({
      db,
      pack,
      secret,
      host: 'portal.example',
      now,
      tokens,
      budgets,
      challenges: createChallenges({ db, budgets, tokens, now, events: { given() {}, solved() {} } }),
      texts: { text: (_locale, _key, params) => String(params?.code) },
      sms: { send: (message) => this.#receive(message.text), close: async () => {} },
      mail: { send: async () => {}, close: async () => {} },
      events: { sent: () => {}, verified: () => {}, refused: () => {}, notSent: () => {} },
    });
  }

  async #receive(code: string): Promise<{ messageId: string }> {
    this.#sent.push({ at: this.#now().getTime(), code: code.slice(0, oneTimeCode.digits) });
    return { messageId: '1' };
  }

  /** Only while the SMS centre has faults, and not every time: it costs a dozen statements. */
  async step(): Promise<void> {
    if (this.#asked >= 8 || !this.#faults.strikes('smsTrouble', 0.1)) return;
    this.#asked += 1;
    const id = await this.#send();
    if (id === null) return;
    const guesses = Array.from({ length: oneTimeCode.attempts + 3 }, () => this.#guess(id));
    const wrong = (await Promise.all(guesses)).filter((outcome) => outcome === 'wrongCode').length;
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + wrong);
    if ((this.#ids.get(id) ?? 0) >= oneTimeCode.attempts) throw new Broken('OTP', 'a code took a sixth try');
    const since = this.#now().getTime() - standardBudgets.codeNumberDay.seconds * 1000;
    if (this.#sent.filter(({ at }) => at > since).length > standardBudgets.codeNumberDay.most)
      throw new Broken('OTP', 'a number got too many codes in a day');
  }

  #send(): Promise<string | null> {
    const request = {
      msisdn: this.#number,
      purpose: 'AIRTIME',
      asker: { visit: null, address: '203.0.113.1', solved: undefined },
      language: 'en-GB',
    };
    return this.#otp.send(request).catch((error: unknown) => {
      if (error instanceof PortalError && ['maxLimit', 'codeTooSoon'].includes(error.refusal)) return null;
      throw error;
    });
  }

  #guess(id: string): Promise<string> {
    const right = this.#sent.at(-1)?.code ?? '';
    const code = String((Number(right) + this.#random.whole(1, 999_998)) % 1_000_000).padStart(oneTimeCode.digits, '0');
    return this.#otp.verify({ id, code, asker: { visit: null, address: '203.0.113.1' } }).then(
      () => 'verified',
      (error: unknown) => {
        if (error instanceof PortalError) return error.kind;
        throw error;
      },
    );
  }
}
