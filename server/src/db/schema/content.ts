import type { Generated } from 'kysely';
import type { Json } from './column-types.ts';

export interface ContentTables {
  content_packages: {
    page: string;
    version: number;
    active: boolean;
    body: Json<unknown>;
    digest: string;
    imported_at: Date;
    begun_from: Generated<number | null>;
    offered: Generated<boolean>;
  };
  content_plans: {
    id: string;
    proposal: string;
    page: string;
    version: number;
    shown: number;
    at: Date;
    planned_by: string;
    planned_at: Date;
    state: Generated<'planned' | 'published' | 'takenBack' | 'overtaken'>;
    ended_at: Generated<Date | null>;
  };
  content_changes: { page: string; version: number; action: string; by: string; at: Date };
  announcements: {
    subject: string;
    is_on: boolean;
    texts: Json<Record<string, string>>;
    starts_at: Date | null;
    ends_at: Date | null;
    version: number;
    changed_at: Date;
    changed_by: string;
  };
}
