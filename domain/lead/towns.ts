export type Town = { readonly cityName: string; readonly hbbLeadFeasibility: boolean };

/** Finds a town by name, ignoring case; undefined if it is not listed. */
export function townNamed<T extends Town>(name: string, towns: readonly T[]): T | undefined {
  const wanted = name.trim().toLowerCase();
  return towns.find(({ cityName }) => cityName.toLowerCase() === wanted);
}
