export type CodeTable<Meaning> = Readonly<Record<string, Meaning>>;

/** Looks up own properties only: "constructor" is not a code, though every object has it. */
export function meaningOf<Meaning>(table: CodeTable<Meaning>, code: string | undefined): Meaning | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}
