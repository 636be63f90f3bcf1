import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** What changed is told on it by topics, which name nobody and open nothing. */
export const liveChannel = 'live_topics';

/** An id is what opens a payment, so what is told is its hash. */
export const paymentTopic = (id: string): string => hash('sha256', `payment ${id}`, 'base64url').slice(0, 22);

/** Ways to pay were switched, or customers are told something else. */
export const announcementsTopic = 'announcements';

/** A table that the operator's people keep has changed. */
export const sheetTopic = (sheet: string): string => `sheet ${sheet}`;

/** Part of a statement: heard of when its transaction is committed, and not if it is rolled back. */
export const notified = (topic: string): RawBuilder<unknown> => sql`pg_notify(${liveChannel}, ${topic})`;
