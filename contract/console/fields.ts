import { maskCards } from '@portal/domain/card-number.ts';
import { oneLine, saysSomething } from '@portal/domain/printable.ts';
import { z } from 'zod';

/** A moment, as text. */
export const time = z.iso.datetime();

/** The amount the provider took, where it differs from the requested one. */
export const takenOtherwise = z.object({ amount: z.number(), currency: z.string() }).nullable();

/** The reason for an act with consequences, stored in the audit. */
export const reason = z.string().overwrite(oneLine).overwrite(maskCards).min(3).max(500).refine(saysSomething);

/** A file's content, streamed line by line. */
export const lines = z.custom<AsyncIterable<string>>();
