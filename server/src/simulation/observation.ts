import type { Act, Brought, Money } from './books.ts';

/** A row of the portal's table of payments, as it is stored. */
export interface SeenPayment {
  id: string;
  /** Payments of one order share it; null: it is an order of its own. */
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
  /** When it is looked at next; null: never again by itself. */
  dueAt: number | null;
  /** What the portal keeps as really taken. */
  taken: { amount: number; currency: string } | null;
  epoch: number;
}

/** A row of the history: each change of state. */
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

/** What one person proposed, and another one may have approved. */
export interface SeenProposal {
  id: string;
  kind: string;
  payment: string;
  amount: number;
  state: string;
  proposedBy: string;
  approvedBy: string | null;
}

/** A goodwill credit, as it is stored. */
export interface SeenCredit {
  id: string;
  proposal: string;
  payment: string;
  amount: number;
  currency: string;
  state: string;
  dueAt: number | null;
}

/** What a customer was told by a message. */
export interface SeenMessage {
  payment: string;
  kind: 'delivered' | 'notTaken' | 'lookedInto' | 'goingBack' | 'givenBack' | 'goodwill';
}

/** What a customer reads on the page of a payment. */
export interface Shown {
  payment: string;
  status: string;
  money: string;
}

/** Everything that can be seen of a world at one moment: the portal's database, and the truth outside of it. */
export interface Observation {
  now: number;
  payments: readonly SeenPayment[];
  history: readonly SeenChange[];
  postings: readonly SeenPosting[];
  messages: readonly SeenMessage[];
  shown: readonly Shown[];
  /** Every key that customers made, with all payments they were ever answered for it. */
  attempts: readonly { key: string; payments: readonly string[] }[];
  /** How late any system may show what it took in, by its contract. */
  lag: number;
  /** What providers really took and gave back. */
  money: readonly Money[];
  /** What the operator's systems really brought. */
  brought: readonly Brought[];
  proposals: readonly SeenProposal[];
  credits: readonly SeenCredit[];
  /** What the charging system really credited beyond what was bought, and for which payment. */
  given: readonly (Brought & { payment: string })[];
  /** Each act of a provider at our request, in order, with what was stored in that moment. */
  acts: readonly Act[];
  /** When the database came back from an earlier moment; what happened between the two is lost to it. */
  restores: readonly { at: number; backTo: number }[];
  /** From here on nothing goes wrong any more; null: not yet. */
  faultsEndedAt: number | null;
}

/** What a customer was answered, which must hold whatever happens. */
export interface Acknowledged {
  payment: string;
  amount: number;
  currency: string;
  at: number;
  /** The provider was asked, as the portal said. */
  wasProcessed: boolean;
}

export interface Ending extends Observation {
  /** False: the world ended early, while the portal still asked about payments for which nobody was ever debited. */
  isOver: boolean;
  acknowledged: readonly Acknowledged[];
  /** The end of the day that was compared. */
  comparedUntil: number;
  /** What the daily comparison of the portal found; a reference is a payment's id. */
  differences: readonly { what: string; gateway: string; reference: string }[];
}
