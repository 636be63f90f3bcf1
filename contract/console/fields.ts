import { oneLine, saysSomething } from '@portal/domain/printable.ts';
import { z } from 'zod';

/** A moment, as text. */
export const time = z.iso.datetime();

/** Why somebody does what they do: it is asked for wherever it hurts, and stands in the audit. */
export const reason = z.string().overwrite(oneLine).min(3).max(500).refine(saysSomething);

/** Of a file, line by line: it is sent as it is read. */
export const lines = z.custom<AsyncIterable<string>>();
