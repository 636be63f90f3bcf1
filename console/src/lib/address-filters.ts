/** Parses a value of the URL; undefined when it is invalid. */
type Reader = (text: string) => string | undefined;

/** The filters of a list from the URL, and the names of invalid ones, which are ignored. */
export function addressFilters<Readers extends Readonly<Record<string, Reader>>>(
  search: URLSearchParams,
  readers: Readers,
): { filters: { [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>> }; unread: (keyof Readers)[] } {
  const given = Object.entries(readers).flatMap(([name, read]) => {
    const text = search.get(name)?.trim();
    return text ? [{ name, value: read(text) }] : [];
  });
  return {
    filters: Object.fromEntries(given.flatMap(({ name, value }) => (value ? [[name, value]] : []))) as {
      [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>>;
    },
    unread: given.flatMap(({ name, value }) => (value ? [] : [name])),
  };
}

export const anyText = (text: string): string => text;

export const oneOf =
  <Known extends string>(known: readonly Known[]) =>
  (text: string): Known | undefined =>
    known.find((one) => one === text);

/** A valid calendar day, such as 2026-03-02. */
export function dayIn(text: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : null;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

export const timeIn = (text: string): string | undefined => (/^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : undefined);
