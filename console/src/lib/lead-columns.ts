import type { TextKey } from '../texts/en.ts';

/** The columns of the exported table of leads, as the server calls them. */
export const leadColumnTexts = {
  id: 'find.request',
  created: 'col.when',
  status: 'leads.status',
  stage: 'leads.stage',
  'worked on by': 'leads.assigned',
  name: 'col.name',
  number: 'col.number',
  email: 'payment.email',
  town: 'leads.town',
  street: 'leads.street',
  landmark: 'leads.landmark',
  latitude: 'leads.latitude',
  longitude: 'leads.longitude',
  served: 'leads.served',
  plan: 'leads.plan',
  'plan in words': 'payment.type',
  amount: 'col.amount',
  currency: 'col.currency',
  'paid by': 'leads.payment',
  source: 'heldField.source',
  reference: 'heldField.reference',
  'sales visit': 'heldField.works_id',
} as const satisfies Record<string, TextKey>;
