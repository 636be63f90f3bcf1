import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** A call of the console: permission, input and output. */
export type ConsoleCallDefinition = {
  readonly summary: string;
  /** Null: everybody who is signed in. */
  readonly permission: Permission | null;
  /** Requires a recent proof of identity (step-up). */
  readonly stepUp?: true;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** A read that is posted, so that its search text is in no URL, history or log. */
  readonly isReading?: true;
  /** Answers a streamed table for spreadsheets. */
  readonly isFile?: true;
  /** Larger body limit than that of a form. */
  readonly bodyBytes?: number;
  readonly result: z.ZodType;
};

export const defineConsoleCall = <const D extends ConsoleCallDefinition>(definition: D): D => definition;
