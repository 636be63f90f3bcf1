import type { LeadStage } from '@portal/domain/lead/lead-stage.ts';
import type { LeadStatus } from '@portal/domain/lead/lead-status.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { Generated } from 'kysely';
import type { Hashed, Sealed } from './column-types.ts';

export interface LeadAddress {
  type: string;
  city: string;
  street1: string;
  landmark: string;
  country: string;
  lat: number | null;
  lng: number | null;
}

export interface LeadsTable {
  id: string;
  proof_digest: string;
  body_digest: Sealed<string>;
  full_name: Sealed<string>;
  contact_number: Sealed<WireNumber>;
  line_type: string;
  email: Sealed<string>;
  is_feasible: boolean;
  address: Sealed<LeadAddress>;
  plan_code: string;
  plan_amount: number;
  plan_currency: string;
  plan_description: string;
  source: Sealed<string>;
  reference: Sealed<string>;
  works_id: Sealed<string> | null;
  number_hash: Hashed | null;
  email_hash: Hashed | null;
  language: string;
  /** The browser that sent it; null for leads from before this was stored. */
  visit: string | null;
  status: LeadStatus;
  stage: Generated<LeadStage>;
  version: Generated<number>;
  /** Who in customer care works on it. */
  assigned_to: Generated<string | null>;
  handover: 'waiting' | 'accepted';
  crm_reference: string | null;
  paid_by: string | null;
  /** When finance recorded that the money of a lost lead went back. */
  money_back_at: Generated<Date | null>;
  attempts: Generated<number>;
  due_at: Date | null;
  looked_at: Date | null;
  created_at: Date;
  changed_at: Date;
}

export interface LeadTables {
  leads: LeadsTable;
  lead_notes: { id: string; lead_id: string; version: number; at: Date; person: string; text: Sealed<string> };
  lead_history: { lead_id: string; status: LeadStatus; at: Date };
}
