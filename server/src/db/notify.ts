import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** Carries topics that say what changed. A topic identifies no person and grants access to nothing. */
export const liveChannel = 'live_topics';

/** Knowing the id gives access to a payment, so the topic is its hash. */
export const paymentTopic = (id: string): string => hash('sha256', `payment ${id}`, 'base64url').slice(0, 22);

/** A way to pay was switched on or off, or an announcement changed. */
export const announcementsTopic = 'announcements';

/** A table edited in the console has changed. */
export const sheetTopic = (sheet: string): string => `sheet ${sheet}`;

/** An SQL expression. The notification is sent on commit and dropped on rollback. */
export const notified = (topic: string): RawBuilder<unknown> => sql`pg_notify(${liveChannel}, ${topic})`;
