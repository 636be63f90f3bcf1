import { createHmac, hkdfSync } from 'node:crypto';
import { fromWire, isOwnNetwork, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { decide, type RiskFacts, type RiskRules, type Verdict } from '@portal/domain/risk.ts';
import type { Kysely } from 'kysely';
import { type Budgets, drawsOn } from '../budgets/budgets.service.ts';
import type { SimSwaps } from '../connectors/ports.ts';
import type { Payment, StoredDecision } from '../db/schema/payments.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import { type Otp, purposes } from '../otp/otp.service.ts';
import { type Replay, replayDay } from './replay.ts';
import type { RiskEvents } from './risk.events.ts';
import * as store from './risk.store.ts';

type Executor = Kysely<Schema>;

export interface Risk {
  /** Makes the external calls before any transaction, and returns the check to run inside it. */
  before(payment: Payment, given: { uniqueCode?: string; askedFrom?: string }): Promise<RiskCheck>;
  /** Whether the payer can receive one of our codes. */
  canBeAsked(payer: WireNumber | null): boolean;
  /**
   * Lets a payment that would be stopped proceed once its payer enters a fresh code for it. Throws a RiskStop to ask
   * for one; false if the payer cannot be asked.
   */
  proveOrAsk(
    transaction: Executor,
    payment: Payment,
    asked: { rule: string; uniqueCode?: string | undefined },
  ): Promise<boolean>;
  /** Records which card paid, if the gateway tells. */
  paidBy(transaction: Executor, payment: Payment, card: string): Promise<void>;
  /** All decisions about a payment, oldest first. */
  decisionsOf(paymentId: string): Promise<store.StoredVerdict[]>;
  /** What would have been decided on a day, such as 2026-03-02, if these rules replaced the present ones. */
  replay(day: string, rules: Partial<RiskRules>): Promise<Replay>;
}

/** Returns if the payment may be submitted: true if its payer entered a fresh code. Throws a RiskStop otherwise. */
export type RiskCheck = (transaction: Executor, submitting: Payment) => Promise<boolean>;

/** Thrown to roll back the transaction that would have submitted a payment; `storeDecision` then stores the decision. */
export class RiskStop extends Error {
  readonly decision: 'ask' | 'hold';
  readonly storeDecision: (executor: Executor) => Promise<void>;

  constructor(decision: 'ask' | 'hold', storeDecision: RiskStop['storeDecision']) {
    super(`stopped by the rules about risk: ${decision}`);
    this.decision = decision;
    this.storeDecision = storeDecision;
  }
}

interface Dependencies {
  db: Executor;
  rules: RiskRules;
  pack: OperatorPack;
  simSwaps: SimSwaps | null;
  proofs: Pick<Otp, 'spendProof'>;
  budgets: Pick<Budgets, 'take'>;
  secret: string;
  now: () => Date;
  events: RiskEvents;
}

/** How long a released purchase may be paid again, if its payer has to be present. */
const releasedHours = 24;
const hourMs = 3_600_000;

export function createRisk(deps: Dependencies): Risk {
  const { rules, pack, events } = deps;
  const key = Buffer.from(hkdfSync('sha256', deps.secret, '', 'card', 32));
  const hoursAgo = (hours: number) => new Date(deps.now().getTime() - hours * hourMs);

  /** Codes go only to our own numbers. For cards and other networks' wallets, the provider asks the payer. */
  const canBeAsked = (payer: WireNumber | null) => payer !== null && isOwnNetwork(fromWire(payer), pack.numbering);

  /** Checked only if a code or a PIN alone authorises the payment: a wallet's own prompt reaches the SIM that it knows. */
  async function simSwapOf({ id, payer_msisdn, payer_proof }: Payment): Promise<RiskFacts['simSwap']> {
    if (!deps.simSwaps || payer_msisdn === null || payer_proof === null) return 'notAsked';
    const outcome = await deps.simSwaps.check(payer_msisdn, rules.simSwap.withinHours);
    if (outcome.kind !== 'unclear') return outcome.kind;
    events.notAnswered(id, outcome.detail);
    return 'unanswered';
  }

  function lineHoursOf({ details: { lineSince } }: Payment): number | null {
    return lineSince ? (deps.now().getTime() - Date.parse(lineSince)) / hourMs : null;
  }

  /** If the payer cannot be asked, a person decides: choosing another way to pay must not bypass a rule. */
  function holdIfNotAskable(verdict: Verdict, payment: Payment): Verdict {
    return verdict.decision === 'ask' && !canBeAsked(payment.payer_msisdn) ? { ...verdict, decision: 'hold' } : verdict;
  }

  const spendFreshCode = (transaction: Executor, { id, payer_msisdn, visit }: Payment, uniqueCode: string) =>
    deps.proofs.spendProof(
      transaction,
      uniqueCode,
      { purpose: purposes.freshCode, subject: payer_msisdn ?? '', visit, payment: id },
      id,
    );

  return {
    canBeAsked,

    async proveOrAsk(transaction, payment, { rule, uniqueCode }) {
      if (!canBeAsked(payment.payer_msisdn)) return false;
      const at = deps.now();
      if (!uniqueCode)
        throw new RiskStop('ask', (executor) => {
          events.decided('ask', rule);
          return store.insertQuestion(executor, payment.id, { rule, facts: null, at });
        });
      await spendFreshCode(transaction, payment, uniqueCode);
      events.decided('answered', rule);
      await store.insertDecision(transaction, payment.id, { decision: 'answered', rule, facts: null, at });
      return true;
    },

    async before(payment, { uniqueCode, askedFrom }) {
      const simSwap = payment.released_at ? 'notAsked' : await simSwapOf(payment);
      return async (transaction, row) => {
        const at = deps.now();
        const note = async (
          executor: Executor,
          decision: StoredDecision,
          rule: string | null,
          facts: RiskFacts | null,
        ): Promise<boolean> => {
          events.decided(decision, rule);
          await store.insertDecision(executor, row.id, { decision, rule, facts, at });
          return decision === 'answered';
        };
        if (row.released_at) return note(transaction, 'allow', 'letGoOn', null);
        await store.lockSubjects(transaction, row);
        const counts = await store.countFacts(transaction, row, { at, rules });
        const facts = { ...counts, lineHours: lineHoursOf(row), simSwap };
        const { decision, rule } = holdIfNotAskable(decide(facts, rules), row);
        if (decision === 'allow') return note(transaction, 'allow', null, facts);
        if (await store.wasReleased(transaction, row, hoursAgo(releasedHours)))
          return note(transaction, 'allow', 'letGoOn', facts);
        if (decision === 'ask' && uniqueCode) {
          await spendFreshCode(transaction, row, uniqueCode);
          return note(transaction, 'answered', rule, facts);
        }
        throw new RiskStop(decision, async (executor) => {
          if (decision === 'ask') {
            events.decided('ask', rule);
            return store.insertQuestion(executor, row.id, { rule, facts, at });
          }
          // The operator's time is a budget too: once the list of held payments is full, further orders are refused.
          const draws = [...drawsOn('heldNetwork', askedFrom ?? null), { budget: 'heldAll' as const, subject: '' }];
          if (await deps.budgets.take(draws, executor)) throw new PortalError('payerBusy');
          await note(executor, 'hold', rule, facts);
        });
      };
    },

    paidBy(transaction, payment, card) {
      const digest = createHmac('sha256', key).update(`${payment.gateway}\n${card}`).digest('base64url');
      return store.insertCard(transaction, payment.id, digest, deps.now());
    },

    decisionsOf: (paymentId) => store.decisionsOf(deps.db, paymentId),

    replay(day, changed) {
      const from = new Date(`${day}T00:00:00Z`);
      const to = new Date(from.getTime() + 24 * hourMs);
      return replayDay(deps.db, { from, to }, { ...rules, ...changed }, canBeAsked);
    },
  };
}
