import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { Permission } from '@portal/contract/console/permissions.ts';
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
import { type DeskAct, deskActsOf } from '@portal/domain/payment/desk-acts.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { reviewedBy } from '@portal/domain/payment/schedule.ts';
import { decisionProblem, decisions } from '@portal/domain/payment/settle.ts';
import { readTicketNumber, writeTicketNumber } from '@portal/domain/ticket.ts';
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
import type { Leads } from '../../leads/leads.service.ts';
import type { Notices } from '../../notices/notices.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import { isStrangers, type Tickets } from '../../tickets/tickets.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { Payment, PaymentRecord, StoredEvidence } from '../core/payments.store.ts';
import type { Goodwill, Payments } from '../payments.service.ts';
import * as desk from './payments.desk.store.ts';
import { orRefused, refundProblem, takenStated } from './payments.refunds.ts';
import { storyOf } from './payments.story.ts';
import { todayOf } from './payments.today.ts';

type Listed = ConsoleResult<'find'>['payments'][number];
type Story = ConsoleResult<'payment'>;

export interface PaymentsDesk {
  db: Kysely<Schema>;
  payments: Payments;
  goodwill: Goodwill;
  risk: Pick<Risk, 'decisionsOf'>;
  leads: Pick<Leads, 'search'>;
  audit: Audit;
  approvals: Approvals;
  fourEyes: FourEyes;
  console: Pick<Console, 'isProved'>;
  ways: Ways;
  tickets: Pick<Tickets, 'find' | 'ofPayment' | 'messagesOf' | 'waiting'>;
  notices: Pick<Notices, 'repeat' | 'sentAbout'>;
  pack: OperatorPack;
  /** Who looks at a payment through the console sees the page its customer sees, too. */
  statusUrl: (id: string, locale: string) => string;
  now: () => Date;
}

const pageRows = 50;
const leadRows = 20;
const reviewRows = 200;
const claimMs = 15 * 60_000;

/** What the operator's people do about payments. */
export function paymentConsoleHandlers(deps: PaymentsDesk) {
  const { db, payments, goodwill, leads, audit, approvals, fourEyes, ways, tickets, notices, pack, statusUrl, now } =
    deps;
  const { numbering } = pack;
  const number = (wire: Payment['msisdn'] | null) => (wire ? maskNational(fromWire(wire), numbering.groups) : '');

  const wayName = (gateway: string) => pack.methods.find((method) => method.gateway === gateway)?.name ?? gateway;

  const listed = (payment: Payment): Listed => ({
    id: payment.id,
    reference: payment.short_reference,
    state: payment.state,
    reason: payment.reason,
    type: payment.transaction_type,
    way: wayName(payment.gateway),
    amount: payment.amount,
    currency: payment.currency,
    number: number(payment.msisdn),
    createdAt: payment.created_at.toISOString(),
    changedAt: payment.changed_at.toISOString(),
  });

  /** Nobody is asked what kind of thing they typed. */
  function cluesIn(text: string): desk.Clues {
    // The link of a message, and the word before a reference in it, are copied along.
    const plain = (/[?&]id=(\w+)/.exec(text)?.[1] ?? text).replace(/^\s*r[ée]f\.?\s+/i, '').trim();
    const code = plain.toLowerCase().replace(/[\s-]/g, '');
    const national = readPosted(plain, numbering);
    return {
      ...(paymentIdPattern.test(code) ? { id: code } : {}),
      ...(referencePattern.test(code) ? { reference: code } : {}),
      ...(isCompleteNational(national, numbering) ? { number: toWire(national) } : {}),
      ...(isEmail(plain) ? { email: plain } : { invoice: plain, account: plain.toUpperCase(), receipt: plain }),
    };
  }

  /** The number of a request is letters and digits, which people read out in pieces. */
  const leadClues = (text: string, { number: phone, email }: desk.Clues) => ({
    id: text.toUpperCase().replace(/[\s-]/g, ''),
    ...(phone ? { number: phone } : {}),
    ...(email ? { email } : {}),
  });

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

  /** What the provider last stated, apart from what we made of it. */
  function providerSide(evidence: StoredEvidence[]): Story['provider'] {
    const calls = ['start', 'enquire', 'refund', 'findRefund'];
    // Not to have found a refund says nothing of the money.
    const last = evidence.findLast(
      ({ call, answer }) => calls.includes(call) && !(call === 'findRefund' && answer !== 'refunded'),
    );
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
    const isRefused = payment.reason === 'deliveryRefused' || delivery?.refused_at;
    const said = delivery?.delivered_at ? 'delivered' : isRefused ? 'refused' : delivery ? 'sent' : null;
    return { said, amount: null, currency: null, at: at?.toISOString() ?? null };
  }

  const takesTwo = (payment: Payment) => needsTwo(fourEyes, takenOf(payment));

  const hasOpenProposal = async (id: string, kind: 'refund' | 'goodwill') =>
    (await approvals.openOf({ kind: 'payment', id }, kind)) !== null;

  /** What this person may propose about it now; what is proposed already is not proposed twice. */
  async function proposable(found: PaymentRecord, signed: Signed): Promise<Story['actions']['propose']> {
    const { payment, changes } = found;
    const problems = { refund: refundProblem(payment, changes), goodwill: goodwill.problemOf(found) };
    // Whoever may do it alone has no need to propose it.
    const isAlone = signed.may('review.settle') && !takesTwo(payment);
    const kinds = (['refund', 'goodwill'] as const).filter(
      (kind) => signed.may(`${kind}.propose`) && problems[kind] === null && !(kind === 'refund' && isAlone),
    );
    const isOpen = await Promise.all(kinds.map((kind) => hasOpenProposal(payment.id, kind)));
    return kinds.filter((_, index) => !isOpen[index]);
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

  /** Only what the state takes and the roles of who asks allow. */
  function actsFor({ state, submitted_at }: Payment, signed: Signed): readonly DeskAct[] {
    const acts = deskActsOf({ state, wasSent: submitted_at !== null });
    return acts.filter((act) => signed.may(actPermissions[act]));
  }

  return {
    today: () => todayOf(db, { timeZone: pack.timeZone, wayName, ways, tickets, now: now() }),

    async find({ text, before }, signed) {
      const ticketNumber = readTicketNumber(text);
      const ticket = ticketNumber ? await tickets.find(ticketNumber) : undefined;
      const clues = ticket ? { id: ticket.payment_id } : cluesIn(text);
      const [rows, requests] = await Promise.all([
        desk.searchPayments(db, clues, { before: positionOf(before, paymentIdPattern), most: pageRows + 1 }),
        before === undefined ? leads.search(leadClues(text, clues), leadRows) : [],
      ]);
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        payments: page.map(listed),
        leads: requests.map(({ id, status, plan_description, contact_number, created_at }) => ({
          id,
          status,
          plan: plan_description,
          number: number(contact_number),
          createdAt: created_at.toISOString(),
        })),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
        ticket: ticket && signed.may('tickets.read') ? ticket.id : null,
      };
    },

    async payment({ id }, signed) {
      const found = await existing(id);
      const { payment, changes } = found;
      const [evidence, delivery, claim, own] = await Promise.all([
        payments.evidence(id),
        deliverySide(payment),
        desk.claimOf(db, id, now()),
        tickets.ofPayment(id),
      ]);
      const { account_id, invoice_number, email } = payment;
      const acts = actsFor(payment, signed);
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
        providerReference:
          evidence.findLast(({ call, receipt }) => receipt !== null && ['start', 'enquire'].includes(call))?.receipt ??
          null,
        statusUrl: statusUrl(id, payment.language),
        provider: providerSide(evidence),
        delivery,
        events: await storyOf(id, { ...deps, evidence }),
        actions: {
          ask: acts.includes('ask') || acts.includes('askInReview'),
          decisions: acts.includes('settle') ? decisions.filter(isAllowed) : [],
          receiptAgain: acts.includes('receiptAgain') ? wayTo(payment) : null,
          openTicket:
            acts.includes('openTicket') && own.every((ticket) => ticket.state === 'solved' || isStrangers(ticket)),
          propose: await proposable(found, signed),
          goodwillMost: goodwill.problemOf(found) === null ? goodwill.mostFor(payment) : null,
        },
        goodwill: found.goodwill,
        tickets: signed.may('tickets.read')
          ? own.map(({ id: ticket, state }) => ({ id: ticket, number: writeTicketNumber(ticket), state }))
          : [],
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
      const [waiting, claims, proposed] = await Promise.all([
        payments.listReview(reviewRows),
        desk.claimsNow(db, now()),
        approvals.list({ list: 'open', kinds: ['refund'], most: reviewRows }),
      ]);
      const claimedBy = new Map(claims.map(({ payment_id, person }) => [payment_id, person]));
      const proposals = new Map(proposed.map(({ id, subject_id }) => [subject_id, id]));
      return waiting.map((payment) => ({
        ...listed(payment),
        claimedBy: claimedBy.get(payment.id) ?? null,
        promisedAt: reviewedBy(payment.changed_at, payment.reason).toISOString(),
        proposal: proposals.get(payment.id) ?? null,
      }));
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
      const { payment } = await existing(id);
      const acts = actsFor(payment, signed);
      const isOpen = acts.includes('ask');
      if (!isOpen && !acts.includes('askInReview')) throw new ConsoleRefusal('notPossible');
      await refuseClaimed(id, signed);
      // Before the call: what was asked and not answered was asked all the same.
      await audit.write(db, signed.actor, { act: 'payment.asked', subject: { kind: 'payment', id } });
      await (isOpen ? payments.hurry(id) : orRefused(() => payments.ask(id)));
      return null;
    },

    async receiptAgain({ id }, signed) {
      const record = await existing(id);
      if (!actsFor(record.payment, signed).includes('receiptAgain')) throw new ConsoleRefusal('notPossible');
      await db.transaction().execute(async (transaction) => {
        await audit.write(transaction, signed.actor, {
          act: 'payment.receiptAgain',
          subject: { kind: 'payment', id },
          after: { way: wayTo(record.payment) },
        });
        await notices.repeat(transaction, record, now().toISOString());
      });
      return null;
    },

    async settle({ id, as, reason }, signed) {
      const { payment } = await existing(id);
      await refuseClaimed(id, signed);
      if (as === 'giveBack' && takesTwo(payment)) throw new ConsoleRefusal('needsTwo');
      if (await hasOpenProposal(id, 'refund'))
        throw new ConsoleRefusal('notPossible', { detail: 'A refund of it is proposed: that is to be decided first.' });
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

const actPermissions = {
  ask: 'payments.ask',
  askInReview: 'review.ask',
  settle: 'review.settle',
  receiptAgain: 'payments.receipt',
  openTicket: 'tickets.answer',
} as const satisfies Record<DeskAct, Permission>;

/** Which way the payer is written to. */
const wayTo = ({ email }: Payment) => (email ? ('mail' as const) : ('sms' as const));
