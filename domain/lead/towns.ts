export type Town = { readonly cityName: string; readonly hbbLeadFeasibility: boolean };

/** The town somebody means, however they wrote its capitals; undefined is a town nobody listed. */
export function townNamed<T extends Town>(name: string, towns: readonly T[]): T | undefined {
  const wanted = name.trim().toLowerCase();
  return towns.find(({ cityName }) => cityName.toLowerCase() === wanted);
}
