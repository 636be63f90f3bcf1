import type { ApprovalKind } from '@portal/contract/console/approval-kinds.ts';
import type { approvalStates } from '@portal/contract/console/approvals.ts';
import type { Generated } from 'kysely';
import type { Json, Sealed } from './column-types.ts';

type ApprovalState = (typeof approvalStates)[number];

export interface ConsoleTables {
  console_people: {
    id: string;
    subject: string;
    email: string;
    name: string;
    roles: string[];
    added_at: Date;
    seen_at: Date;
    closed_at: Date | null;
  };
  console_sessions: {
    /** The digest of the session cookie. */
    id: string;
    person_id: string;
    started_at: Date;
    seen_at: Date;
    ends_at: Date;
    proved_at: Date;
    browser: string;
    browser_name: string;
    ended_at: Date | null;
    ended_because: string | null;
  };
  console_passkeys: {
    id: string;
    person_id: string;
    public_key: string;
    counter: number;
    transports: string[];
    name: string;
    added_at: Date;
    used_at: Date | null;
  };
  console_invitations: {
    /** The digest of the token in the link. */
    id: string;
    email: string;
    name: string;
    roles: string[];
    person_id: string | null;
    is_first_admin: boolean;
    made_by: string | null;
    made_at: Date;
    ends_at: Date;
    used_at: Date | null;
    withdrawn_at: Date | null;
    proposal: Generated<string | null>;
  };
  console_challenges: { id: string; ends_at: Date };
  console_views: {
    id: string;
    person_id: string;
    page: string;
    name: string;
    filters: Json<Record<string, string>>;
    saved_at: Date;
  };
  approvals: {
    id: string;
    kind: ApprovalKind;
    subject_kind: string;
    subject_id: string;
    payload: Json<Record<string, unknown>>;
    digest: Generated<string>;
    reason: string;
    needs_two: boolean;
    proposed_by: string;
    proposed_at: Date;
    expires_at: Date;
    state: Generated<ApprovalState>;
    approved_by: string | null;
    closed_by: string | null;
    decided_at: Date | null;
    note: string | null;
    about: Sealed<string> | null;
  };
  /** The database numbers the rows and chains their hashes. */
  audit: {
    number: Generated<number>;
    at: Date;
    person: string | null;
    roles: string[];
    act: string;
    subject_kind: string;
    subject_id: string;
    before: Json<unknown> | null;
    after: Json<unknown> | null;
    reason: string | null;
    from_address: string | null;
    prev_hash: Generated<string>;
    row_hash: Generated<string>;
  };
}
