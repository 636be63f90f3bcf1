import type { Permission } from '@portal/contract/console/permissions.ts';
import type { ComponentType } from 'react';
import { provedPage } from '../lib/step-up.ts';
import { ApprovalPage } from '../pages/approval-page.tsx';
import { ApprovalsPage } from '../pages/approvals-page.tsx';
import { AuditPage } from '../pages/audit-page.tsx';
import { CataloguePage } from '../pages/catalogue-page.tsx';
import { ContentPage } from '../pages/content-page.tsx';
import { ContentsPage } from '../pages/contents-page.tsx';
import { ErasePage } from '../pages/erase-page.tsx';
import { FeedbackEntryPage } from '../pages/feedback-entry-page.tsx';
import { FeedbackPage } from '../pages/feedback-page.tsx';
import { FindPage } from '../pages/find-page.tsx';
import { InsightPage } from '../pages/insight-page.tsx';
import { LeadPage } from '../pages/lead-page.tsx';
import { LeadsPage } from '../pages/leads-page.tsx';
import { PaymentPage } from '../pages/payment-page.tsx';
import { PeoplePage } from '../pages/people-page.tsx';
import { PlacesPage } from '../pages/places-page.tsx';
import { ProvedPage } from '../pages/proved-page.tsx';
import { ReconciliationPage } from '../pages/reconciliation-page.tsx';
import { ReviewPage } from '../pages/review-page.tsx';
import { SessionsPage } from '../pages/sessions-page.tsx';
import { TicketPage } from '../pages/ticket-page.tsx';
import { TicketsPage } from '../pages/tickets-page.tsx';
import { TodayPage } from '../pages/today-page.tsx';
import { WaysPage } from '../pages/ways-page.tsx';
import type { TextKey } from '../texts/en.ts';

export interface ConsolePage {
  path: string;
  title: TextKey;
  /** Null: for everybody who is signed in. Without the permission neither the page nor its menu entry is shown. */
  permission: Permission | null;
  inMenu: boolean;
  Page: ComponentType;
}

export const pages: readonly ConsolePage[] = [
  { path: '/today', title: 'nav.today', permission: 'today.read', inMenu: true, Page: TodayPage },
  { path: '/find', title: 'nav.find', permission: 'payments.find', inMenu: true, Page: FindPage },
  { path: '/payments/:id', title: 'nav.find', permission: 'payments.find', inMenu: false, Page: PaymentPage },
  { path: '/tickets', title: 'nav.tickets', permission: 'tickets.read', inMenu: true, Page: TicketsPage },
  { path: '/tickets/:id', title: 'nav.tickets', permission: 'tickets.read', inMenu: false, Page: TicketPage },
  { path: '/leads', title: 'nav.leads', permission: 'leads.read', inMenu: true, Page: LeadsPage },
  { path: '/leads/:id', title: 'nav.leads', permission: 'leads.read', inMenu: false, Page: LeadPage },
  { path: '/feedback', title: 'nav.feedback', permission: 'feedback.read', inMenu: true, Page: FeedbackPage },
  {
    path: '/feedback/:id',
    title: 'nav.feedback',
    permission: 'feedback.read',
    inMenu: false,
    Page: FeedbackEntryPage,
  },
  { path: '/review', title: 'nav.review', permission: 'review.list', inMenu: true, Page: ReviewPage },
  {
    path: '/reconciliation',
    title: 'nav.reconciliation',
    permission: 'reconciliation.read',
    inMenu: true,
    Page: ReconciliationPage,
  },
  { path: '/approvals', title: 'nav.approvals', permission: 'approvals.list', inMenu: true, Page: ApprovalsPage },
  { path: '/approvals/:id', title: 'nav.approvals', permission: 'approvals.list', inMenu: false, Page: ApprovalPage },
  { path: '/insight', title: 'nav.insight', permission: 'insight.read', inMenu: true, Page: InsightPage },
  { path: '/content', title: 'nav.content', permission: 'content.read', inMenu: true, Page: ContentsPage },
  { path: '/content/:name', title: 'nav.content', permission: 'content.read', inMenu: false, Page: ContentPage },
  { path: '/ways', title: 'nav.ways', permission: 'ways.read', inMenu: true, Page: WaysPage },
  { path: '/catalogue', title: 'nav.catalogue', permission: 'sheets.read', inMenu: true, Page: CataloguePage },
  { path: '/places', title: 'nav.places', permission: 'sheets.read', inMenu: true, Page: PlacesPage },
  { path: '/erase', title: 'nav.erase', permission: 'erase.propose', inMenu: true, Page: ErasePage },
  { path: '/people', title: 'nav.people', permission: 'people.list', inMenu: true, Page: PeoplePage },
  { path: '/audit', title: 'nav.audit', permission: 'audit.read', inMenu: true, Page: AuditPage },
  { path: '/sessions', title: 'nav.sessions', permission: null, inMenu: true, Page: SessionsPage },
  { path: provedPage, title: 'nav.sessions', permission: null, inMenu: false, Page: ProvedPage },
];
