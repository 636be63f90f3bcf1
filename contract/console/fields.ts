import { z } from 'zod';

/** A moment, as text. */
export const time = z.iso.datetime();

/** Why somebody does what they do: it is asked for wherever it hurts, and stands in the audit. */
export const reason = z.string().trim().min(3).max(500);
