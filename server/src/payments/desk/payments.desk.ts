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
import { decisionProblem, decisions } from '@portal/domain/payment/settle.ts';
import type { Kysely } from 'kysely';
import type { Audit } from '../../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../../console/console.service.ts';
import type { Schema } from '../../db/schema.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { Change, Payment, StoredEvidence } from '../core/payments.store.ts';
import { DecisionRefused, type Payments } from '../payments.service.ts';
import * as desk from './payments.desk.store.ts';
import { todayOf } from './payments.today.ts';

type Listed = ConsoleResult<'find'>['payments'][number];
type Story = ConsoleResult<'payment'>;
type StoryEvent = Story['events'][number];

export interface PaymentsDesk {
  db: Kysely<Schema>;
  payments: Payments;
  risk: Pick<Risk, 'decisionsOf'>;
  leads: Pick<Leads, 'search'>;
  audit: Audit;
  ways: Ways;
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
export function paymentConsoleHandlers({ db, payments, risk, leads, audit, ways, pack, statusUrl, now }: PaymentsDesk) {
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

  /** Whatever it is refused for, in the words of the area that refused it. */
  async function orRefused<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof DecisionRefused) throw new ConsoleRefusal('notPossible', { detail: error.message });
      throw error;
    }
  }

  async function refuseClaimed(id: string, { email }: Signed): Promise<void> {
    const claim = await desk.claimOf(db, id, now());
    if (claim && claim.person !== email)
      throw new ConsoleRefusal('notPossible', { detail: `${claim.person} works on it.` });
  }

  return {
    today: () => todayOf(db, { timeZone: pack.timeZone, ways, now: now() }),

    async find({ text, before }) {
      const clues = cluesIn(text);
      const [rows, requests] = await Promise.all([
        desk.searchPayments(db, clues, { before: positionOf(before), most: pageRows + 1 }),
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
        next: rows.length > pageRows && last ? `${last.created_at.toISOString()} ${last.id}` : null,
      };
    },

    async payment({ id }, signed) {
      const { payment, changes } = await existing(id);
      const [evidence, delivery, claim] = await Promise.all([
        payments.evidence(id),
        deliverySide(payment),
        desk.claimOf(db, id, now()),
      ]);
      const { account_id, invoice_number, email } = payment;
      const waits = payment.state === 'REVIEW';
      const taken =
        payment.taken_amount === null
          ? null
          : { isAsAsked: payment.taken_amount === payment.amount && payment.taken_currency === payment.currency };
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
          decisions:
            waits && signed.may('review.settle')
              ? decisions.filter((decision) => decisionProblem(changes, taken, decision) === null)
              : [],
        },
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
  } satisfies ConsoleHandlers;
}

/** As `find` wrote it for the next page. */
function positionOf(before: string | undefined): desk.Position | undefined {
  const [time = '', id = ''] = (before ?? '').split(' ');
  const at = new Date(time);
  if (before === undefined) return undefined;
  if (Number.isNaN(at.getTime()) || !paymentIdPattern.test(id))
    throw new ConsoleRefusal('invalid', { field: 'before' });
  return { at, id };
}
