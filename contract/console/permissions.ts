/**
 * Permissions of the console, and the roles that have them. The menu, the calls and their tests follow from this
 * table.
 */
export const permissions = {
  'today.read': ['care', 'finance', 'operator'],
  'payments.find': ['care', 'finance'],
  'payments.export': ['care', 'finance'],
  'payments.exportInFull': ['finance'],
  'payments.reveal': ['care', 'finance'],
  'payments.ask': ['care', 'finance'],
  'payments.receipt': ['care'],
  'tickets.read': ['care'],
  'tickets.answer': ['care'],
  'leads.read': ['care', 'finance', 'admin'],
  'leads.work': ['care'],
  'leads.settle': ['finance'],
  'leads.reveal': ['care'],
  'leads.erase': ['care', 'admin'],
  'leads.export': ['care', 'admin'],
  'leads.exportInFull': ['admin'],
  'feedback.read': ['care'],
  'feedback.reveal': ['care'],
  'feedback.work': ['care'],
  'insight.read': ['editor', 'publisher', 'operator'],
  'review.list': ['finance'],
  'review.ask': ['finance'],
  'review.settle': ['finance'],
  'reconciliation.read': ['finance'],
  'reconciliation.work': ['finance'],
  'approvals.list': ['care', 'finance', 'editor', 'publisher', 'operator', 'admin'],
  'approvals.decide': ['finance', 'publisher', 'operator', 'admin'],
  'refund.propose': ['care', 'finance'],
  'refund.approve': ['finance'],
  'goodwill.propose': ['care', 'finance'],
  'goodwill.approve': ['finance'],
  'goodwill.settle': ['finance'],
  'erase.propose': ['admin'],
  'erase.approve': ['admin'],
  'people.list': ['admin'],
  'people.sessions': ['admin'],
  'people.write': ['admin'],
  'people.approve': ['admin'],
  'audit.read': ['admin'],
  'ways.read': ['operator'],
  'ways.switch': ['operator'],
  'ways.approve': ['operator'],
  'announcements.write': ['operator'],
  'sheets.read': ['editor', 'publisher'],
  'sheets.propose': ['editor'],
  'sheets.approve': ['publisher'],
  'content.read': ['editor', 'publisher'],
  'content.edit': ['editor'],
  'content.propose': ['editor', 'publisher'],
  'content.publish': ['publisher'],
} as const satisfies Record<string, readonly Role[]>;

export const roles = ['care', 'finance', 'editor', 'publisher', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];
export type Permission = keyof typeof permissions;

export const isRole = (text: unknown): text is Role => roles.includes(text as Role);

export const mayDo = (held: readonly Role[], permission: Permission): boolean =>
  held.some((role) => (permissions[permission] as readonly Role[]).includes(role));
