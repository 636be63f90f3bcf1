/** Geocoder queries to try in this order until one has a result. */
export function addressQueries(given: { address: string; landmark: string; town: string }): string[] {
  const [address, landmark, town] = [given.address.trim(), given.landmark.trim(), given.town.trim()];
  const queries = [address && `${address}, ${town}`, landmark && `${landmark}, ${town}`, town];
  return queries.filter(Boolean);
}
