/** Lines are stored under nine digits with this prefix, whatever prefix the operator's own numbers have. */
const stored = '39';
const ownDigits = 7;

/** How the emulated operator writes phone numbers. */
export interface NumberPlan {
  /** The stored nine digits of a line, from any spelling of its number; undefined if it is not a number. */
  line(text: string): string | undefined;
  /** The charging system accepts numbers only with their leading 0. */
  lineFromNational(text: string): string | undefined;
  /** With its leading 0, as it is on the wire. */
  national(line: string): string;
  /** Digits of a number without its leading 0. */
  length: number;
}

/** `prefix` is what stands before a line's last seven digits, its leading 0 included: 039, 0939, 095. */
export function numberPlan({ countryCode, prefix }: { countryCode: string; prefix: string }): NumberPlan {
  const own = prefix.slice(1);
  const length = own.length + ownDigits;
  // A number of another operator is nobody's line, but may get a message.
  const storedAs = (national: string) => (national.startsWith(own) ? stored + national.slice(own.length) : national);
  return {
    length,
    line(text) {
      const digits = text.replace(/[\s.-]/g, '').replace(/^\+/, '');
      if (/^39\d{7}$/.test(digits)) return digits;
      const national = new RegExp(`^(?:${countryCode}|0)?(\\d{${length}})$`).exec(digits)?.[1];
      return national === undefined ? undefined : storedAs(national);
    },
    lineFromNational(text) {
      const national = new RegExp(`^0(\\d{${length}})$`).exec(text)?.[1];
      return national === undefined ? undefined : storedAs(national);
    },
    national: (line) => (line.startsWith(stored) ? prefix + line.slice(stored.length) : `0${line}`),
  };
}
