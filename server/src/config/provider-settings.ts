import { z } from 'zod';

type Read<Variables extends z.ZodRawShape> = z.infer<z.ZodObject<Variables>>;
type Set<Variables extends z.ZodRawShape, Need extends keyof Variables> = Read<Variables> & {
  [K in Need & keyof Read<Variables>]-?: NonNullable<Read<Variables>[K]>;
};

/** What one system outside is configured by. It stands beside the system's client; the configuration is composed of them. */
export interface ProviderSettings<
  Variables extends z.ZodRawShape = z.ZodRawShape,
  Need extends keyof Variables & string = keyof Variables & string,
  Settings = unknown,
  Necessary extends boolean = boolean,
> {
  /** By their names in the environment; docs/settings.md lists them. */
  variables: Variables;
  /** Without these it cannot be called. Where one variable of an optional system is given, all of these have to be. */
  needs: readonly Need[];
  /** The portal does not start without it. */
  isNecessary?: Necessary;
  /** Where the sandbox emulates it, and with which keys. */
  sandbox(url: string): Partial<Read<Variables>>;
  read(given: Set<Variables, Need>): Settings;
}

/** Only for its types: what `read` is given follows from the variables. */
export const providerSettings = <
  Variables extends z.ZodRawShape,
  const Need extends keyof Variables & string,
  Settings,
  const Necessary extends boolean = false,
>(
  settings: ProviderSettings<Variables, Need, Settings, Necessary>,
) => settings;

/** What a connector is given of it. */
export type SettingsOf<Provider extends { read(given: never): unknown }> = ReturnType<Provider['read']>;

/** Where a variable has a default, nobody has to have given it. */
export const isOptional = (variable: unknown): boolean => variable instanceof z.ZodOptional;
