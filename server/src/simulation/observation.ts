import type { Act, Delivery, Money, ReceivedRequest } from './books.ts';

/** A row of the payments table. */
export interface SeenPayment {
  id: string;
  /** Shared by the payments of one order; null: an order of its own. */
  order: string | null;
  gateway: string;
  item: 'airtime' | 'bundle' | 'bill' | 'order';
  amount: number;
  currency: string;
  state: string;
  version: number;
  reason: string | null;
  submittedAt: number | null;
  changedAt: number;
  /** The next sweep that looks at it; null: none. */
  dueAt: number | null;
  /** The amount stored as really taken. */
  taken: { amount: number; currency: string } | null;
  epoch: number;
}

/** A row of the history: one change of state. */
export interface SeenChange {
  payment: string;
  version: number;
  event: string;
  from: string | null;
  to: string;
  reason: string | null;
  at: number;
  /** The person who decided it. */
  by: string | null;
}

/** A posting of the ledger. */
export interface SeenPosting {
  payment: string;
  kind: 'paid' | 'delivered' | 'refunded' | 'goodwill';
  debit: string;
  credit: string;
  amount: number;
  currency: string;
}

/** A proposal, and its approval by another person. */
export interface SeenProposal {
  id: string;
  kind: string;
  payment: string;
  amount: number;
  state: string;
  proposedBy: string;
  approvedBy: string | null;
}

/** A row of the goodwill table. */
export interface SeenCredit {
  id: string;
  proposal: string;
  payment: string;
  amount: number;
  currency: string;
  state: string;
  dueAt: number | null;
}

/** A message to a customer. */
export interface SeenMessage {
  payment: string;
  kind: 'delivered' | 'notTaken' | 'lookedInto' | 'goingBack' | 'givenBack' | 'goodwill';
}

/** The status page of a payment. */
export interface Shown {
  payment: string;
  status: string;
  money: string;
}

/** A snapshot of a world: the portal's database, and the truth outside. */
export interface Observation {
  now: number;
  payments: readonly SeenPayment[];
  history: readonly SeenChange[];
  postings: readonly SeenPosting[];
  messages: readonly SeenMessage[];
  shown: readonly Shown[];
  /** Every idempotency key, with all payments that were ever returned for it. */
  attempts: readonly { key: string; payments: readonly string[] }[];
  /** The longest lag of any system, by its contract. */
  lag: number;
  /** What providers really took and refunded. */
  money: readonly Money[];
  /** What the operator's systems really delivered. */
  deliveries: readonly Delivery[];
  proposals: readonly SeenProposal[];
  credits: readonly SeenCredit[];
  /** Goodwill that the charging system really credited, and for which payment. */
  goodwill: readonly (Delivery & { payment: string })[];
  /** Each act of a provider at our request, in order, with the row stored at that moment. */
  acts: readonly Act[];
  /** Each request to deliver or refund that arrived, in order. */
  received: readonly ReceivedRequest[];
  /** Restores: from when, and to which earlier moment; everything between is lost to the database. */
  restores: readonly { at: number; backTo: number }[];
  /** From here on there are no more faults; null: not yet. */
  faultsEndedAt: number | null;
}

/** A response to a customer, which must stay true. */
export interface Acknowledged {
  payment: string;
  amount: number;
  currency: string;
  at: number;
  /** The provider was called, as the portal said. */
  wasProcessed: boolean;
}

export interface Ending extends Observation {
  /** False: the world ended early, while the portal still enquired about payments that were never debited. */
  isOver: boolean;
  acknowledged: readonly Acknowledged[];
  /** The end of the compared day. */
  comparedUntil: number;
  /** What the portal's daily comparison found; a reference is a payment's id. */
  differences: readonly { what: string; gateway: string; reference: string }[];
}
