/** From here on the room that is left in a text is shown. */
export const isNearEnd = (left: number, most: number): boolean => left <= Math.max(50, most / 5);

/** The room as it is announced: in tens, so that not every letter is read out; null while there is enough. */
export function announcedRoom(left: number): number | null {
  if (left > 50) return null;
  return left > 10 ? Math.floor(left / 10) * 10 : left;
}
