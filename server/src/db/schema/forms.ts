import type { Generated } from 'kysely';
import type { Sealed } from './column-types.ts';

export interface FormTables {
  form_entries: {
    id: string;
    form_type: string;
    email: Sealed<string> | null;
    data: Sealed<Record<string, unknown>>;
    language: string;
    created_at: Date;
    done_at: Generated<Date | null>;
    done_by: Generated<string | null>;
  };
}
