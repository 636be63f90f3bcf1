import type { RiskFacts, RiskRules } from '@portal/domain/risk.ts';
import { type Kysely, sql } from 'kysely';
import { hashesOf, isHashOf, openRow } from '../db/personal-data.ts';
import type { Payment, StoredDecision } from '../db/schema/payments.ts';
import type { Schema } from '../db/schema.ts';
import { isOfBrowser } from '../http/visits.ts';

type Executor = Kysely<Schema>;

/** The facts that are counted in the database; the others come from other systems. */
export type Counts = Omit<RiskFacts, 'lineHours' | 'simSwap'>;

/** Products that can be resold. Nobody profits from paying a bill. */
const resellable = ['PREPAID_RECHARGE', 'PREPAID_BUNDLES', 'POSTPAID_BUNDLES'];
const price = sql`coalesce((details->'conversion'->>'price')::bigint, amount)`;

/** The value of what can be resold, in the currency of prices, whatever it is paid in. */
const worthOf = ({ amount, transaction_type, details }: Payment) =>
  resellable.includes(transaction_type) ? (details.conversion?.price ?? amount) : 0;

/** The payer's number. If only the gateway's page learns who pays, the email for the receipt, else the visit. */
const payer = sql`coalesce(payer_hash, email_hash, visit)`;
const payerOf = ({ payer_msisdn, email, visit }: Payment) => payer_msisdn ?? email?.toLowerCase() ?? visit;

/** The payer in the form in which it is stored. */
function storedPayer(db: Executor, { payer_msisdn, email, visit }: Payment) {
  const hashes = payer_msisdn ? hashesOf(db, 'number', payer_msisdn) : hashesOf(db, 'email', email);
  return sql`(${hashes.length > 0 ? hashes : [visit]}::text[])`;
}

/**
 * Serialises checks that share a payer, recipient or browser. Otherwise thirty concurrent ones would not count each
 * other.
 */
export async function lockSubjects(transaction: Executor, payment: Payment): Promise<void> {
  const subjects = [
    `payer ${payerOf(payment)}`,
    `recipient ${payment.msisdn}`,
    ...(isOfBrowser(payment.visit) ? [`device ${payment.visit}`] : []),
  ].sort();
  await sql`select pg_advisory_xact_lock(hashtextextended(subject, 7340115))
    from unnest(${subjects}::text[]) as subject`.execute(transaction);
}

/**
 * Counts related payments up to a moment: those that reached a provider and had not failed by then. The payment itself
 * is included. A subject that the payment does not have counts nothing.
 */
export async function countFacts(
  db: Executor,
  payment: Payment,
  { at, rules }: { at: Date; rules: RiskRules },
): Promise<Counts> {
  const { id, payer_msisdn, msisdn, visit, email } = payment;
  const device = isOfBrowser(visit) ? visit : null;
  const since = (rule: { seconds: number }) => new Date(at.getTime() - rule.seconds * 1000);
  const live = (rule: {
    seconds: number;
  }) => sql`submitted_at > ${since(rule)} and submitted_at <= ${at} and id <> ${id}
    and not (state in ('FAILED', 'REFUNDED') and changed_at <= ${at})`;
  // An unapproved request must not hold up what others pay for a line, since anybody can send one.
  const certain = sql`(payer_proof is not null or state in ('PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'SUCCEEDED'))`;
  const sold = sql`transaction_type in (${sql.join(resellable)})`;
  const recipient = msisdn || null;
  const hashed = (kind: 'number' | 'email', value: string | null) => sql`any(${hashesOf(db, kind, value)}::text[])`;
  const toRecipient = sql`msisdn_hash = ${hashed('number', recipient)}`;
  const byPayer = sql`payer_hash = ${hashed('number', payer_msisdn)}`;
  const byEmail = sql`email_hash = ${hashed('email', email)}`;
  const bySomebodyElse = sql`${payer} <> all${storedPayer(db, payment)}`;
  const worth = worthOf(payment);
  const sumTo = (rule: { seconds: number }) => sql`(select coalesce(sum(${price}), 0) from payments
    where ${toRecipient} and ${sold} and ${certain} and ${live(rule)})`;
  // A card is known only after it paid, so an order is checked by the earlier cards of its browser and email.
  const isByCard = payer_msisdn === null;
  const ownCards = (rule: { seconds: number }) => sql`(select card from payment_cards join payments on id = payment_id
    where (visit = ${device} or ${byEmail}) and ${live(rule)})`;
  const { rows } = await sql<Record<keyof Counts, number>>`select
    (select count(*) from payments where ${byPayer} and ${live(rules.payerPayments)})::int
      as "payerPayments",
    (select coalesce(sum(${price}), 0) from payments
      where ${byPayer} and ${sold} and ${live(rules.payerAmount)})::bigint as "payerAmount",
    (select count(distinct ${payer}) from payments where ${toRecipient}
      and ${bySomebodyElse} and ${certain} and ${live(rules.recipientPayers)})::int as "recipientPayers",
    ${sumTo(rules.recipientAmount)}::bigint as "recipientAmount",
    (select count(distinct ${payer}) from payments where visit = ${device}
      and ${bySomebodyElse} and ${live(rules.devicePayers)})::int as "devicePayers",
    ${
      isByCard
        ? sql`coalesce((select max(times) from (select count(*) as times from payment_cards join payments on id = payment_id
      where card in ${ownCards(rules.cardPayments)} and ${live(rules.cardPayments)} group by card) cards), 0)::int`
        : sql`0`
    } as "cardPayments",
    ${
      isByCard
        ? sql`(select count(distinct card) from payment_cards join payments on id = payment_id
      where (visit = ${device} or ${byEmail} or ${toRecipient})
      and ${live(rules.cardsUsed)})::int`
        : sql`0`
    } as "cardsUsed",
    ${sumTo(rules.newNumber)}::bigint as "newNumber"`.execute(db);
  const [counted] = rows;
  if (!counted) throw new Error('nothing was counted');
  const one = (isThere: boolean) => (isThere ? 1 : 0);
  return {
    payerPayments: counted.payerPayments + one(payer_msisdn !== null),
    payerAmount: counted.payerAmount + (payer_msisdn === null ? 0 : worth),
    recipientPayers: counted.recipientPayers + one(recipient !== null),
    recipientAmount: counted.recipientAmount + (recipient === null ? 0 : worth),
    devicePayers: counted.devicePayers + one(device !== null),
    cardPayments: counted.cardPayments + one(counted.cardPayments > 0),
    cardsUsed: counted.cardsUsed,
    newNumber: counted.newNumber + (recipient === null ? 0 : worth),
  };
}

export async function insertDecision(
  db: Executor,
  paymentId: string,
  { decision, rule, facts, at }: { decision: StoredDecision; rule: string | null; facts: RiskFacts | null; at: Date },
): Promise<void> {
  await db
    .insertInto('payment_decisions')
    .values({ payment_id: paymentId, at, decision, rule, facts: JSON.stringify(facts) })
    .execute();
}

/** Stored once for each rule, so that an order that is sent repeatedly does not add rows. */
export async function insertQuestion(
  db: Executor,
  paymentId: string,
  { rule, facts, at }: { rule: string | null; facts: RiskFacts | null; at: Date },
): Promise<void> {
  await sql`insert into payment_decisions (payment_id, at, decision, rule, facts)
    select ${paymentId}, ${at}::timestamptz, 'ask', ${rule}, ${JSON.stringify(facts)}::jsonb
    where not exists (
      select from payment_decisions
      where payment_id = ${paymentId} and decision = 'ask' and rule is not distinct from ${rule}::text)`.execute(db);
}

export interface StoredVerdict {
  at: Date;
  decision: StoredDecision;
  rule: string | null;
}

export function decisionsOf(db: Executor, paymentId: string): Promise<StoredVerdict[]> {
  return db
    .selectFrom('payment_decisions')
    .select(['at', 'decision', 'rule'])
    .where('payment_id', '=', paymentId)
    .orderBy('position')
    .execute();
}

/** A person released the same purchase, its payer had to pay it again, and it was not paid since. */
export async function wasReleased(db: Executor, payment: Payment, since: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from payments earlier
    where ${isHashOf(db, 'msisdn_hash', ['number', payment.msisdn])} and released_at > ${since} and reason = 'payAgain'
      and ${payer} = any${storedPayer(db, payment)} and gateway = ${payment.gateway} and transaction_type = ${payment.transaction_type}
      and ${price} = ${payment.details.conversion?.price ?? payment.amount}
      and product_code is not distinct from ${payment.product_code}
      and ${isHashOf(db, 'invoice_hash', ['invoice', payment.invoice_number])}
      and not exists (
        select from payments later
        where ${isHashOf(db, 'later.msisdn_hash', ['number', payment.msisdn])} and later.submitted_at > earlier.released_at and later.id <> ${payment.id}
          and coalesce(later.payer_hash, later.email_hash, later.visit) = any${storedPayer(db, payment)}
          and later.state not in ('FAILED', 'REFUNDED'))
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function insertCard(db: Executor, paymentId: string, card: string, at: Date): Promise<void> {
  await db
    .insertInto('payment_cards')
    .values({ payment_id: paymentId, card, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The first decision about each payment of a day, oldest first. */
export async function decidedOn(
  db: Executor,
  day: { from: Date; to: Date },
): Promise<(StoredVerdict & { facts: RiskFacts | null; payment: Payment })[]> {
  const decided = await db
    .selectFrom('payment_decisions')
    .distinctOn('payment_id')
    .select(['payment_id', 'at', 'decision', 'rule', 'facts'])
    .where('at', '>=', day.from)
    .where('at', '<', day.to)
    .orderBy('payment_id')
    .orderBy('position')
    .execute();
  const found: Awaited<ReturnType<typeof decidedOn>> = [];
  const pageSize = 500;
  for (let from = 0; from < decided.length; from += pageSize) {
    const page = decided.slice(from, from + pageSize);
    const ids = page.map(({ payment_id }) => payment_id);
    const payments = await db.selectFrom('payments').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(payments.map((row) => [row.id, openRow(db, 'payments', row)]));
    for (const { payment_id, ...verdict } of page) {
      const payment = byId.get(payment_id);
      if (payment) found.push({ ...verdict, payment });
    }
  }
  return found.sort((one, other) => one.at.getTime() - other.at.getTime());
}
