import type { Permission, Role } from '@portal/contract/console/permissions.ts';
import type { Actor } from '../audit/audit.service.ts';

/** A signed-in person. */
export interface Signed {
  session: string;
  personId: string;
  name: string;
  email: string;
  roles: Role[];
  provedAt: Date;
  endsAt: Date;
  actor: Actor;
  may(permission: Permission): boolean;
}

/** What a request reveals about its client. */
export interface Browser {
  userAgent: string;
  address: string;
}

export const actorOf = (person: { email: string; roles: readonly string[] } | null, { address }: Browser): Actor => ({
  person: person?.email ?? null,
  roles: person?.roles ?? [],
  address,
});
