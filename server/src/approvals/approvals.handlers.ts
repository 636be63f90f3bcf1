import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { type ConsoleHandlers, nextPage, positionOf, type Signed } from '../console/console.service.ts';
import type { Approval, Approvals, Overtaken } from './approvals.service.ts';
import type { List } from './approvals.store.ts';

const pageRows = 50;

type Listed = ConsoleResult<'approvals'>['proposals'][number];

interface ListRows {
  of: List;
  /** Of these, whose they are: known without asking whether a proposal can still be carried out. */
  isFor?: (row: Approval, signed: Signed) => boolean;
  /** Whether a proposal can still be carried out is no column of it. */
  has: (row: Listed) => boolean;
}

/** Proposals that wait for a second person, and decided ones. */
export function approvalHandlers(approvals: Approvals) {
  const lists: Record<ConsoleParsed<'approvals'>['list'], ListRows> = {
    open: { of: 'open', has: ({ overtaken }) => overtaken === null },
    mine: { of: 'open', isFor: approvals.mayDecide, has: ({ isMine }) => isMine },
    undecided: { of: 'open', has: () => true },
    decided: { of: 'decided', has: () => true },
    refusedMine: { of: 'refusedLately', isFor: approvals.isOwn, has: () => true },
    expired: { of: 'openOrExpired', has: ({ state, overtaken }) => state === 'expired' || overtaken !== null },
  };

  async function listed(rows: readonly Approval[], signed: Signed): Promise<Listed[]> {
    const outcomes = await approvals.outcomesOf(rows);
    // Sequential, since each may be an expensive query and the list is polled.
    const overtaken = new Map<string, Overtaken | null>();
    for (const row of rows) overtaken.set(row.id, await approvals.overtaken(row));
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      subject: { kind: row.subject_kind, id: row.subject_id },
      name: approvals.nameOf(row),
      names: row.payload.names ?? [],
      amount: row.payload.amount,
      currency: row.payload.currency,
      reason: row.reason,
      state: row.isExpired ? 'expired' : row.state,
      proposedBy: row.proposer,
      proposedAt: row.proposed_at.toISOString(),
      expiresAt: approvals.openUntil(row).toISOString(),
      startsAt: approvals.startsAt(row)?.toISOString() ?? null,
      decidedBy: row.decider,
      decidedAt: row.decided_at?.toISOString() ?? null,
      note: row.note,
      outcome: outcomes.get(row.id) ?? null,
      overtaken: overtaken.get(row.id) ?? null,
      isMine: approvals.mayDecide(row, signed) && !overtaken.get(row.id),
    }));
  }

  return {
    async approvals({ list, before }, signed) {
      const kinds = approvals.kindsOf(signed);
      const { of, isFor = () => true, has } = lists[list];
      const proposals: Listed[] = [];
      let from = positionOf(before, /^[\w-]+$/);
      for (;;) {
        const rows = await approvals.list({ list: of, kinds, before: from, most: pageRows });
        const own = rows.filter((row) => isFor(row, signed));
        proposals.push(...(await listed(own, signed)).filter(has));
        const last = rows.at(-1);
        if (proposals.length > pageRows || rows.length < pageRows || !last) break;
        from = { at: last.proposed_at, id: last.id };
      }
      const page = proposals.slice(0, pageRows);
      const last = page.at(-1);
      return {
        proposals: page,
        next: proposals.length > pageRows && last ? nextPage({ at: new Date(last.proposedAt), id: last.id }) : null,
      };
    },

    async approval({ id }, signed) {
      const approval = await approvals.seenBy(id, signed);
      const [shown] = (await listed([approval], signed)) as [Listed];
      return {
        ...shown,
        digest: approval.digest,
        evidence: await approvals.evidence(approval),
        actions: {
          approve: shown.isMine,
          refuse: approvals.mayDecide(approval, signed),
          withdraw: shown.state === 'open' && approvals.isOwn(approval, signed),
        },
      };
    },

    async approve({ id, digest }, signed) {
      await approvals.approve(signed, id, digest);
      return null;
    },

    async refuseProposal({ id, reason }, signed) {
      await approvals.refuse(signed, id, reason);
      return null;
    },

    async withdrawProposal({ id }, signed) {
      await approvals.withdraw(signed, id);
      return null;
    },
  } satisfies ConsoleHandlers;
}
