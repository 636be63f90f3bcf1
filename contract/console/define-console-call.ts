import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** A call of the console: who may, what is sent, what comes back. */
export type ConsoleCallDefinition = {
  readonly summary: string;
  /** Null: everybody who is signed in. */
  readonly permission: Permission | null;
  /** Only for somebody who showed who they are within the last minutes. */
  readonly stepUp?: true;
  /** Whole packages are sent, in several languages. */
  readonly largeBody?: true;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly result: z.ZodType;
};

export const defineConsoleCall = <const D extends ConsoleCallDefinition>(definition: D): D => definition;
