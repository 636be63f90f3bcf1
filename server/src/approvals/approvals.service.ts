import { randomUUID } from 'node:crypto';
import type { ApprovalStep } from '@portal/contract/console/acts.ts';
import type { ApprovalKind } from '@portal/contract/console/approval-kinds.ts';
import type { Permission } from '@portal/contract/console/permissions.ts';
import type { Held, UnderWay } from '@portal/contract/console/persons.ts';
import type { ConsoleRefusalCode } from '@portal/contract/console/refusals.ts';
import type { Kysely } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import { ConsoleRefusal, type Position, type Signed } from '../console/console.service.ts';
import type { Clock } from '../db/clock.ts';
import { withoutPersons } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import type { Approval, Executor, List, Payload } from './approvals.store.ts';
import * as store from './approvals.store.ts';

export type { Approval, Payload } from './approvals.store.ts';

/** A fact to check before approving. */
export interface Fact {
  what: string;
  detail: string | null;
  amount: number | null;
  currency: string | null;
  /** The language, for a text that customers read. */
  locale?: string;
  compare?: { page: string; from: number; to: number };
  /** What is held about a person in one table. */
  held?: Held;
  /** What a person's rows wait for before they can be erased. */
  underWay?: UnderWay[];
}

export interface Overtaken {
  code: ConsoleRefusalCode;
  parameters: Record<string, string>;
}

/** The person who approves. */
export type Approver = Pick<Signed, 'personId' | 'email' | 'actor'>;

/** A kind of act that needs approval, implemented by its area. */
export interface Approvable {
  propose: Permission;
  approve: Permission;
  evidence(approval: Approval): Promise<Fact[]>;
  /** Why it can no longer be carried out: its subject was changed, paid or closed. Null if it can. */
  overtaken?(approval: Approval): Promise<Overtaken | null>;
  /** What its subject is called while it is open, where that is stored only encrypted. */
  nameOf?(approval: Approval): string | null;
  /** When it becomes too late to approve, even if the proposal is still open. */
  until?(approval: Approval): Date | null;
  /** When it takes effect, if that is planned for later than its approval. */
  startsAt?(approval: Approval): Date | null;
  /** The outcomes of approved ones by id, if they are only known later. */
  outcomes?(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Carries it out in one transaction, in which it calls `decide`. That throws if somebody else decided first, which
   * rolls everything back. A call to an external system is only enqueued there.
   */
  carryOut(approval: Approval, by: Approver, decide: (transaction: Executor) => Promise<void>): Promise<void>;
}

export type Approvables = Record<ApprovalKind, Approvable>;

/** Amounts up to this, in the operator's currency, need no approval. */
export interface FourEyes {
  over: number;
  currency: string;
}

export const needsTwo = ({ over, currency }: FourEyes, money: { amount: number; currency: string }): boolean =>
  money.currency !== currency || money.amount > over;

type Subject = { kind: string; id: string };

export interface Proposing {
  kind: ApprovalKind;
  subject: Subject;
  payload: Payload;
  reason: string;
  needsTwo: boolean;
  about?: string;
  /** Runs in the same transaction, for data that the proposal refers to. */
  alongside?: (transaction: Executor) => Promise<void>;
}

export type Approvals = ReturnType<typeof createApprovals>;

interface Dependencies {
  db: Kysely<Schema>;
  clock: Clock;
  audit: Pick<Audit, 'write'>;
  kinds: Approvables;
}

/** Four eyes: one person proposes, another approves, and the portal carries it out once. */
export function createApprovals({ db, clock, audit, kinds }: Dependencies) {
  const now = () => clock.inSql();

  const write = (
    transaction: Executor,
    actor: Actor,
    { kind, id, subject_kind, subject_id, payload: { amount, currency } }: Approval,
    act: ApprovalStep,
    reason?: string,
  ) =>
    audit.write(transaction, actor, {
      act: `${kind}.${act}`,
      subject: { kind: subject_kind, id: subject_id },
      after: { proposal: id, ...(amount === null ? {} : { amount, currency }) },
      reason,
    });

  /** Why deciding it failed. */
  async function refusal(executor: Executor, id: string, digest?: string): Promise<ConsoleRefusal> {
    const approval = await store.find(executor, id, now());
    if (!approval) return new ConsoleRefusal('notFound');
    if (approval.isExpired) return new ConsoleRefusal('proposalExpired');
    if (approval.state !== 'open') return new ConsoleRefusal('proposalDecided');
    return new ConsoleRefusal(digest === undefined ? 'notPossible' : 'proposalChanged');
  }

  /** Refuses kinds that this person has no permission for. */
  async function seenBy(id: string, signed: Signed): Promise<Approval> {
    const approval = await store.find(db, id, now());
    if (!approval || !kindsOf(signed).includes(approval.kind)) throw new ConsoleRefusal('notFound');
    return approval;
  }

  const kindsOf = (signed: Pick<Signed, 'may'>): ApprovalKind[] =>
    (Object.keys(kinds) as ApprovalKind[]).filter(
      (kind) => signed.may(kinds[kind].propose) || signed.may(kinds[kind].approve),
    );

  const isOwn = ({ proposed_by, proposer }: Approval, { personId, email }: Signed) =>
    proposed_by === personId || proposer.toLowerCase() === email.toLowerCase();

  const mayDecide = (approval: Approval, signed: Signed) =>
    approval.state === 'open' &&
    !approval.isExpired &&
    !isOwn(approval, signed) &&
    signed.may(kinds[approval.kind].approve);

  /** The proposal, if this person may decide it and did not make it; other attempts go to the audit log. */
  async function decidedBy(id: string, signed: Signed): Promise<Approval> {
    const approval = await seenBy(id, signed);
    const { approve } = kinds[approval.kind];
    if (!signed.may(approve)) {
      await audit.write(db, signed.actor, {
        act: 'call.refused',
        subject: { kind: approval.subject_kind, id: approval.subject_id },
        reason: `without ${approve}`,
      });
      throw new ConsoleRefusal('notPermitted');
    }
    if (isOwn(approval, signed)) throw new ConsoleRefusal('ownProposal');
    return approval;
  }

  async function carryOut(approval: Approval, by: Approver, decide: (transaction: Executor) => Promise<void>) {
    let isDecided = false;
    await kinds[approval.kind]
      .carryOut(approval, by, async (transaction) => {
        await decide(transaction);
        isDecided = true;
      })
      .catch((error: unknown) => {
        // A database constraint decides whether two accounts are the same person.
        throw (error as { code?: string }).code === '23514' ? new ConsoleRefusal('ownProposal') : error;
      });
    if (!isDecided) throw new Error(`${approval.kind} was carried out without being decided`);
  }

  /** No approval needed: stored and carried out in one transaction. */
  async function doAlone(signed: Signed, fresh: store.NewApproval): Promise<void> {
    const { subject, payload, kind, reason } = fresh;
    const approval = {
      ...{ id: fresh.id, kind, subject_kind: subject.kind, subject_id: subject.id, payload, reason },
      ...{ proposed_by: signed.personId, proposer: signed.email, about: fresh.about },
    } as Approval;
    await carryOut(approval, signed, async (transaction) => {
      if (!(await store.insert(transaction, fresh, now()))) throw new ConsoleRefusal('alreadyProposed');
      const { digest } = await store.digestOf(transaction, fresh.id);
      await store.approve(transaction, { id: fresh.id, digest, by: null, now: now() });
      await write(transaction, signed.actor, approval, 'doneAlone', withoutPersons(reason));
    });
  }

  const overtaken = async (approval: Approval): Promise<Overtaken | null> =>
    approval.state === 'open' && !approval.isExpired
      ? ((await kinds[approval.kind].overtaken?.(approval)) ?? null)
      : null;

  /** The open proposal of this kind about a subject; there is at most one. */
  async function openAbout(subject: Subject, kind: ApprovalKind): Promise<Approval | undefined> {
    const all = await store.listOf(db, subject, now());
    return all.find((one) => one.kind === kind && one.state === 'open' && !one.isExpired);
  }

  return {
    kindsOf,
    mayDecide,
    isOwn,

    async propose(signed: Signed, { about = null as never, alongside, ...proposing }: Proposing): Promise<string> {
      const id = randomUUID();
      // The reason is kept for good, so personal data is removed from it.
      const reason = withoutPersons(proposing.reason);
      const fresh = { ...proposing, id, reason, about, proposedBy: signed.personId };
      if (!proposing.needsTwo) {
        await doAlone(signed, fresh);
        return id;
      }
      const earlier = await openAbout(proposing.subject, proposing.kind);
      const outdated = earlier && (await overtaken(earlier)) ? earlier.id : null;
      await db.transaction().execute(async (transaction) => {
        await alongside?.(transaction);
        if (outdated) await store.expire(transaction, outdated);
        if (!(await store.insert(transaction, fresh, now()))) throw new ConsoleRefusal('alreadyProposed');
        await audit.write(transaction, signed.actor, {
          act: `${proposing.kind}.proposed`,
          subject: proposing.subject,
          after: { proposal: id, amount: proposing.payload.amount, currency: proposing.payload.currency },
          reason,
        });
      });
      return id;
    },

    async approve(signed: Signed, id: string, digest: string): Promise<void> {
      const approval = await decidedBy(id, signed);
      if (approval.isExpired || approval.state !== 'open' || approval.digest !== digest)
        throw await refusal(db, id, digest);
      const { personId, email } = signed;
      const actor = { ...signed.actor, approved: { proposal: id, proposer: approval.proposer } };
      await carryOut(approval, { personId, email, actor }, async (transaction) => {
        if (!(await store.approve(transaction, { id, digest, by: personId, now: now() })))
          throw await refusal(transaction, id, digest);
        await write(transaction, actor, approval, 'approved');
      });
    },

    async refuse(signed: Signed, id: string, note: string): Promise<void> {
      const approval = await decidedBy(id, signed);
      await db.transaction().execute(async (transaction) => {
        const reason = withoutPersons(note);
        const closing = { id, as: 'refused', by: signed.personId, note: reason, now: now() } as const;
        if (!(await store.close(transaction, closing))) throw await refusal(transaction, id);
        await write(transaction, signed.actor, approval, 'refused', reason);
      });
    },

    async withdraw(signed: Signed, id: string): Promise<void> {
      const approval = await seenBy(id, signed);
      if (!isOwn(approval, signed)) throw new ConsoleRefusal('notPossible');
      await db.transaction().execute(async (transaction) => {
        const closing = { id, as: 'withdrawn', by: approval.proposed_by, note: null, now: now() } as const;
        if (!(await store.close(transaction, closing))) throw await refusal(transaction, id);
        await write(transaction, signed.actor, approval, 'withdrawn');
      });
    },

    list: (asked: { list: List; kinds: readonly ApprovalKind[]; before?: Position | undefined; most: number }) =>
      store.list(db, { ...asked, now: now() }),
    listOf: (subject: Subject) => store.listOf(db, subject, now()),
    /** The proposal about this subject that waits for a second person, if any: an overtaken one waits for nobody. */
    async openOf(subject: Subject, kind: ApprovalKind): Promise<string | null> {
      const open = await openAbout(subject, kind);
      return open && !(await overtaken(open)) ? open.id : null;
    },
    seenBy,
    nameOf: (approval: Approval): string => kinds[approval.kind].nameOf?.(approval) ?? approval.payload.name,
    evidence: (approval: Approval) => kinds[approval.kind].evidence(approval),
    overtaken,

    /** When it expires. */
    openUntil(approval: Approval): Date {
      const until = kinds[approval.kind].until?.(approval);
      return until && until < approval.expires_at ? until : approval.expires_at;
    },

    startsAt: (approval: Approval): Date | null => kinds[approval.kind].startsAt?.(approval) ?? null,

    async outcomesOf(approvals: readonly Approval[]): Promise<ReadonlyMap<string, string>> {
      const found = new Map<string, string>();
      for (const [kind, { outcomes }] of Object.entries(kinds)) {
        const ids = approvals.filter((one) => one.kind === kind && one.state === 'approved').map(({ id }) => id);
        if (outcomes && ids.length > 0) for (const [id, outcome] of await outcomes(ids)) found.set(id, outcome);
      }
      return found;
    },

    deleteExpired: () => store.forgetExpired(db, endedBefore(periods.approvals, clock.now())),
  };
}
