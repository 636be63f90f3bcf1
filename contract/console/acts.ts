import { type ApprovalKind, approvalKinds } from './approvals.ts';

/** Everything that is written into the audit; the console has words for each. */
const ownActs = [
  'session.started',
  'session.proved',
  'session.refused',
  'session.ended',
  'call.refused',
  'person.closed',
  'person.opened',
  'person.roles',
  'person.joined',
  'person.searched',
  'person.exported',
  'person.erased',
  'invitation.made',
  'invitation.withdrawn',
  'passkey.added',
  'passkey.removed',
  'audit.verified',
  'payment.revealed',
  'payment.claimed',
  'payment.letGo',
  'payment.asked',
  'payment.settled',
  'payment.receiptAgain',
  'ticket.opened',
  'ticket.answered',
  'ticket.solved',
  'ticket.reopened',
  'way.switchedOff',
  'way.switchedOn',
  'banner.set',
  'banner.takenBack',
  'maintenance.set',
  'maintenance.takenBack',
  'lead.moved',
  'lead.noted',
  'lead.assigned',
  'lead.revealed',
  'lead.erased',
  'leads.exported',
  'feedback.revealed',
  'feedback.done',
  'feedback.reopened',
  'sheet.previewed',
  'catalogue.changed',
  'shops.changed',
  'sites.changed',
  'towns.changed',
  'content.drafted',
  'content.published',
  'content.rolledBack',
  'content.planned',
  'content.overtaken',
  'content.planTakenBack',
] as const;

const approvalSteps = ['proposed', 'approved', 'refused', 'withdrawn', 'doneAlone'] as const;
export type ApprovalStep = (typeof approvalSteps)[number];

export type AuditAct = (typeof ownActs)[number] | `${ApprovalKind}.${ApprovalStep}`;

export const auditActs: readonly AuditAct[] = [
  ...ownActs,
  ...approvalKinds.flatMap((kind) => approvalSteps.map((step) => `${kind}.${step}` as const)),
];
