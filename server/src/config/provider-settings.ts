import { z } from 'zod';

type Read<Variables extends z.ZodRawShape> = z.infer<z.ZodObject<Variables>>;
type Set<Variables extends z.ZodRawShape, Need extends keyof Variables> = Read<Variables> & {
  [K in Need & keyof Read<Variables>]-?: NonNullable<Read<Variables>[K]>;
};

/** The settings of one external system, declared beside its client; the configuration is composed of them. */
export interface ProviderSettings<
  Variables extends z.ZodRawShape = z.ZodRawShape,
  Need extends keyof Variables & string = keyof Variables & string,
  Settings = unknown,
  Necessary extends boolean = boolean,
> {
  /** By environment variable; docs/settings.md lists them. */
  variables: Variables;
  /** Required to call it. If any variable of an optional system is set, all of these must be. */
  needs: readonly Need[];
  /** The portal does not start without it. */
  isNecessary?: Necessary;
  /** Its address and keys in the sandbox. */
  sandbox(url: string): Partial<Read<Variables>>;
  read(given: Set<Variables, Need>): Settings;
}

/** Only for type inference: the input of `read` follows from the variables. */
export const providerSettings = <
  Variables extends z.ZodRawShape,
  const Need extends keyof Variables & string,
  Settings,
  const Necessary extends boolean = false,
>(
  settings: ProviderSettings<Variables, Need, Settings, Necessary>,
) => settings;

/** The settings that a connector gets. */
export type SettingsOf<Provider extends { read(given: never): unknown }> = ReturnType<Provider['read']>;

/** A variable with a default is optional. */
export const isOptional = (variable: unknown): boolean => variable instanceof z.ZodOptional;
