import type { AnalyticsTables } from './schema/analytics.ts';
import type { ConsoleTables } from './schema/console.ts';
import type { ContentTables } from './schema/content.ts';
import type { FormTables } from './schema/forms.ts';
import type { GoodwillTables } from './schema/goodwill.ts';
import type { HelpTables } from './schema/help.ts';
import type { LeadTables } from './schema/leads.ts';
import type { LimitTables } from './schema/limits.ts';
import type { OperationTables } from './schema/operation.ts';
import type { PaymentTables } from './schema/payments.ts';
import type { ReconciliationTables } from './schema/reconciliation.ts';
import type { SheetTables } from './schema/sheets.ts';
import type { TicketTables } from './schema/tickets.ts';
import type { VerificationTables } from './schema/verification.ts';

/** Every table by its name, one file for each area. */
export interface Schema
  extends PaymentTables,
    GoodwillTables,
    ReconciliationTables,
    VerificationTables,
    LimitTables,
    LeadTables,
    TicketTables,
    HelpTables,
    FormTables,
    AnalyticsTables,
    ContentTables,
    SheetTables,
    ConsoleTables,
    OperationTables {}
