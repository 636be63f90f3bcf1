import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { maskAccount } from '@portal/domain/account-number.ts';
import { isEmail, maskEmail } from '@portal/domain/email.ts';
import {
  fromWire,
  groupNational,
  isCompleteNational,
  maskNational,
  readPosted,
  toWire,
} from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { decisionProblem, decisions } from '@portal/domain/payment/settle.ts';
import type { Kysely } from 'kysely';
import { type Approvals, type FourEyes, needsTwo } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import {
  type Console,
  type ConsoleHandlers,
  ConsoleRefusal,
  nextPage,
  positionOf,
  type Signed,
} from '../../console/console.service.ts';
import type { Schema } from '../../db/schema.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { Change, Payment, PaymentRecord, StoredEvidence } from '../core/payments.store.ts';
import type { Goodwill, Payments } from '../payments.service.ts';
import * as desk from './payments.desk.store.ts';
import { orRefused, refundProblem, takenStated } from './payments.refunds.ts';
import { todayOf } from './payments.today.ts';

type Listed = ConsoleResult<'find'>['payments'][number];
type Story = ConsoleResult<'payment'>;
type StoryEvent = Story['events'][number];

export interface PaymentsDesk {
  db: Kysely<Schema>;
  payments: Payments;
  goodwill: Goodwill;
  risk: Pick<Risk, 'decisionsOf'>;
  audit: Audit;
  approvals: Approvals;
  fourEyes: FourEyes;
  console: Pick<Console, 'isProved'>;
  ways: Ways;
  pack: OperatorPack;
  /** Who looks at a payment through the console sees the page its customer sees, too. */
  statusUrl: (id: string, locale: string) => string;
  now: () => Date;
}

const pageRows = 50;
const reviewRows = 200;
const claimMs = 15 * 60_000;

/** What the operator's people do about payments. */
export function paymentConsoleHandlers(deps: PaymentsDesk) {
  const { db, payments, goodwill, risk, audit, approvals, fourEyes, ways, pack, statusUrl, now } = deps;
  const { numbering } = pack;
  const number = (wire: Payment['msisdn'] | null) => (wire ? maskNational(fromWire(wire), numbering.groups) : '');

  const listed = (payment: Payment): Listed => ({
    id: payment.id,
    reference: payment.short_reference,
    state: payment.state,
    reason: payment.reason,
    type: payment.transaction_type,
    gateway: payment.gateway,
    amount: payment.amount,
    currency: payment.currency,
    number: number(payment.msisdn),
    createdAt: payment.created_at.toISOString(),
    changedAt: payment.changed_at.toISOString(),
  });

  /** Nobody is asked what kind of thing they typed. */
  function cluesIn(text: string): desk.Clues {
    const plain = text.trim();
    const code = plain.toLowerCase().replace(/[\s-]/g, '');
    const national = readPosted(plain, numbering);
    return {
      ...(paymentIdPattern.test(code) ? { id: code } : {}),
      ...(referencePattern.test(code) ? { reference: code } : {}),
      ...(isCompleteNational(national, numbering) ? { number: toWire(national) } : {}),
      ...(isEmail(plain) ? { email: plain } : { invoice: plain, receipt: plain }),
    };
  }

  async function existing(id: string) {
    const found = await payments.find(id);
    if (!found) throw new ConsoleRefusal('notFound');
    return found;
  }

  const hidden = (payment: Payment) => ({
    number: payment.msisdn && groupNational(fromWire(payment.msisdn), numbering.groups),
    payer: payment.payer_msisdn && groupNational(fromWire(payment.payer_msisdn), numbering.groups),
    email: payment.email,
    account: payment.account_id,
    invoice: payment.invoice_number,
  });

  async function eventsOf(id: string, changes: Change[], evidence: StoredEvidence[]): Promise<StoryEvent[]> {
    const none = { by: null, detail: null, amount: null, currency: null };
    const [postings, verdicts, acts] = await Promise.all([
      desk.postingsOf(db, id),
      risk.decisionsOf(id),
      audit.list(pageRows, { subject: { kind: 'payment', id } }),
    ]);
    const events: StoryEvent[] = [
      ...changes.map(({ at, to, by, note }) => ({
        ...none,
        at: at.toISOString(),
        kind: 'state' as const,
        what: to,
        by: by ?? null,
        detail: note ?? null,
      })),
      ...evidence.map(({ at, call, answer, amount, currency, receipt, detail }) => ({
        ...none,
        at: at.toISOString(),
        kind: 'evidence' as const,
        what: `${call}.${answer}`,
        detail: [receipt, detail].filter(Boolean).join(' · ') || null,
        amount,
        currency,
      })),
      ...postings.map(({ at, kind, amount, currency }) => ({
        ...none,
        at: at.toISOString(),
        kind: 'posting' as const,
        what: kind,
        amount,
        currency,
      })),
      ...verdicts.map(({ at, decision, rule }) => ({
        ...none,
        at: at.toISOString(),
        kind: 'risk' as const,
        what: decision,
        detail: rule,
      })),
      ...acts.map(({ at, act, person, reason }) => ({
        ...none,
        at: at.toISOString(),
        kind: 'audit' as const,
        what: act,
        by: person,
        detail: reason,
      })),
    ];
    return events.sort((one, other) => one.at.localeCompare(other.at));
  }

  /** What the provider last stated, apart from what we made of it. */
  function providerSide(evidence: StoredEvidence[]): Story['provider'] {
    const last = evidence.findLast(({ call }) => call === 'start' || call === 'enquire');
    return {
      said: last?.answer ?? null,
      amount: last?.amount ?? null,
      currency: last?.currency ?? null,
      at: last?.at.toISOString() ?? null,
    };
  }

  async function deliverySide(payment: Payment): Promise<Story['delivery']> {
    const delivery = await desk.deliveryOf(db, payment.id);
    const at = delivery?.delivered_at ?? delivery?.refused_at ?? delivery?.sent_at ?? null;
    const said = delivery?.delivered_at ? 'delivered' : delivery?.refused_at ? 'refused' : delivery ? 'sent' : null;
    return { said, amount: null, currency: null, at: at?.toISOString() ?? null };
  }

  const takesTwo = (payment: Payment) => needsTwo(fourEyes, takenOf(payment));

  /** What this person may propose about it now; what is proposed already is not proposed twice. */
  async function proposable(found: PaymentRecord, signed: Signed): Promise<Story['actions']['propose']> {
    const { payment, changes } = found;
    const proposals = await approvals.listOf({ kind: 'payment', id: payment.id });
    const isOpen = (kind: string) =>
      proposals.some((one) => one.kind === kind && one.state === 'open' && !one.isExpired);
    const problems = { refund: refundProblem(payment, changes), goodwill: goodwill.problemOf(found) };
    // Whoever may do it alone has no need to propose it.
    const isAlone = signed.may('review.settle') && !takesTwo(payment);
    return (['refund', 'goodwill'] as const).filter(
      (kind) =>
        signed.may(`${kind}.propose`) && problems[kind] === null && !isOpen(kind) && !(kind === 'refund' && isAlone),
    );
  }

  async function propose(
    kind: 'refund' | 'goodwill',
    payment: Payment,
    { money, reason, signed }: { money: { amount: number; currency: string }; reason: string; signed: Signed },
  ): Promise<{ proposal: string }> {
    const isAlone = !needsTwo(fourEyes, money);
    // What one person does alone is as much as approving: they have just shown who they are.
    if (isAlone && !deps.console.isProved(signed)) throw new ConsoleRefusal('proveAgain');
    const proposal = await approvals.propose(signed, {
      kind,
      subject: { kind: 'payment', id: payment.id },
      payload: { name: payment.short_reference, ...money },
      reason,
      needsTwo: !isAlone,
    });
    return { proposal };
  }

  async function refuseClaimed(id: string, { email }: Signed): Promise<void> {
    const claim = await desk.claimOf(db, id, now());
    if (claim && claim.person !== email)
      throw new ConsoleRefusal('notPossible', { detail: `${claim.person} works on it.` });
  }

  return {
    today: () => todayOf(db, { timeZone: pack.timeZone, ways, now: now() }),

    async find({ text, before }) {
      const rows = await desk.searchPayments(db, cluesIn(text), {
        before: positionOf(before, paymentIdPattern),
        most: pageRows + 1,
      });
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        payments: page.map(listed),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
      };
    },

    async payment({ id }, signed) {
      const found = await existing(id);
      const { payment, changes } = found;
      const [evidence, delivery, claim] = await Promise.all([
        payments.evidence(id),
        deliverySide(payment),
        desk.claimOf(db, id, now()),
      ]);
      const { account_id, invoice_number, email } = payment;
      const waits = payment.state === 'REVIEW';
      const isAllowed = (decision: (typeof decisions)[number]) =>
        decisionProblem(changes, takenStated(payment), decision) === null &&
        !(decision === 'giveBack' && takesTwo(payment));
      return {
        ...listed(payment),
        description: payment.description,
        payer: payment.payer_msisdn && number(payment.payer_msisdn),
        email: email && maskEmail(email),
        account: account_id && maskAccount(account_id),
        invoice: invoice_number && maskAccount(invoice_number),
        providerReference: evidence.findLast(({ receipt }) => receipt !== null)?.receipt ?? null,
        statusUrl: statusUrl(id, payment.language),
        provider: providerSide(evidence),
        delivery,
        events: await eventsOf(id, changes, evidence),
        actions: {
          ask: waits && signed.may('review.ask'),
          decisions: waits && signed.may('review.settle') ? decisions.filter(isAllowed) : [],
          propose: await proposable(found, signed),
          goodwillMost: goodwill.problemOf(found) === null ? goodwill.mostFor(payment) : null,
        },
        goodwill: found.goodwill,
        claim: claim
          ? { by: claim.person, until: claim.until.toISOString(), isOwn: claim.person === signed.email }
          : null,
      };
    },

    async reveal({ id, field, reason }, signed) {
      const { payment } = await existing(id);
      const value = hidden(payment)[field];
      if (!value) throw new ConsoleRefusal('notFound');
      await audit.write(db, signed.actor, {
        act: 'payment.revealed',
        subject: { kind: 'payment', id },
        after: { field },
        reason,
      });
      return { value };
    },

    async review() {
      const [waiting, claims] = await Promise.all([payments.listReview(reviewRows), desk.claimsNow(db, now())]);
      const claimedBy = new Map(claims.map(({ payment_id, person }) => [payment_id, person]));
      return waiting.map((payment) => ({ ...listed(payment), claimedBy: claimedBy.get(payment.id) ?? null }));
    },

    async claim({ id, isTaken }, signed) {
      const { payment } = await existing(id);
      if (isTaken && payment.state !== 'REVIEW')
        throw new ConsoleRefusal('notPossible', { detail: 'It does not wait for a person.' });
      await db.transaction().execute(async (transaction) => {
        const until = new Date(now().getTime() + claimMs);
        if (!isTaken) await desk.dropClaim(transaction, id, signed.email);
        else if (!(await desk.takeClaim(transaction, { paymentId: id, person: signed.email, now: now(), until })))
          throw new ConsoleRefusal('notPossible', { detail: 'Somebody else works on it.' });
        const act = isTaken ? 'payment.claimed' : 'payment.letGo';
        await audit.write(transaction, signed.actor, { act, subject: { kind: 'payment', id } });
      });
      return null;
    },

    async ask({ id }, signed) {
      await existing(id);
      await refuseClaimed(id, signed);
      // Before the call: what was asked and not answered was asked all the same.
      await audit.write(db, signed.actor, { act: 'payment.asked', subject: { kind: 'payment', id } });
      await orRefused(() => payments.ask(id));
      return null;
    },

    async settle({ id, as, reason }, signed) {
      const { payment } = await existing(id);
      await refuseClaimed(id, signed);
      if (as === 'giveBack' && takesTwo(payment)) throw new ConsoleRefusal('needsTwo');
      const { state } = await orRefused(() =>
        payments.decide(id, {
          as,
          by: signed.email,
          note: reason,
          record: (transaction, decided) =>
            audit.write(transaction, signed.actor, {
              act: 'payment.settled',
              subject: { kind: 'payment', id },
              before: { state: payment.state },
              after: { state: decided.state, as },
              reason,
            }),
        }),
      );
      await desk.dropClaim(db, id, signed.email);
      return { state };
    },

    async proposeRefund({ id, reason }, signed) {
      const { payment, changes } = await existing(id);
      const problem = refundProblem(payment, changes);
      if (problem) throw new ConsoleRefusal('notPossible', { detail: problem });
      return propose('refund', payment, { money: takenOf(payment), reason, signed });
    },

    async proposeGoodwill({ id, amount, reason }, signed) {
      const found = await existing(id);
      const problem = goodwill.problemOf(found);
      if (problem) throw new ConsoleRefusal('notPossible', { detail: problem });
      const { amount: most, currency } = goodwill.mostFor(found.payment);
      if (amount > most) throw new ConsoleRefusal('invalid', { field: 'amount' });
      return propose('goodwill', found.payment, { money: { amount, currency }, reason, signed });
    },
  } satisfies ConsoleHandlers;
}
