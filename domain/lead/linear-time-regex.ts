/** Tests one UTF-16 code unit, as a pattern without flags does. */
type Unit = (unit: number) => boolean;
type Edge = (text: string, at: number) => boolean;

type Node =
  | { kind: 'unit'; is: Unit }
  | { kind: 'edge'; holds: Edge }
  | { kind: 'ahead'; of: Node; isWanted: boolean }
  | { kind: 'sequence'; of: Node[] }
  | { kind: 'choice'; of: Node[] }
  | { kind: 'repeat'; of: Node; least: number; most: number };

/** A state of the automaton: consumes a unit, or continues with any of `to` if its assertion holds. */
interface Step {
  to: number[];
  is?: Unit;
  holds?: Edge;
  ahead?: { program: Program; isWanted: boolean };
}

interface Program {
  steps: Step[];
  start: number;
}

class UnusablePattern extends Error {}

/** Maximum steps after counted repeats are expanded. It limits the work for each letter. */
const mostSteps = 2_000;
const longestPattern = 300;

/**
 * Patterns come from content, and the browser's backtracking engine takes years on some of them. Here the cost is steps
 * times letters: from the last letter to the first, it computes which steps lead to the end from there. Null if the
 * pattern is invalid, too large, or has a backreference, which such an engine cannot match.
 */
export function compilePattern(pattern: string): ((text: string) => boolean) | null {
  if (pattern.length > longestPattern) return null;
  try {
    const program = programOf(parse(pattern), { steps: mostSteps });
    return (text) => startsOf(program, text).includes(1);
  } catch (error) {
    if (error instanceof UnusablePattern) return null;
    throw error;
  }
}

/** For each position in the text, whether the program matches from there. */
function startsOf({ steps, start }: Program, text: string): Uint8Array {
  const starts = new Uint8Array(text.length + 1);
  const ahead = steps.map((step) => step.ahead && startsOf(step.ahead.program, text));
  const leadingTo = steps.map((): number[] => []);
  for (const [index, step] of steps.entries()) if (!step.is) for (const to of step.to) leadingTo[to]?.push(index);
  const isOpen = (index: number, at: number) => {
    const step = steps[index] as Step;
    if (step.holds) return step.holds(text, at);
    return !step.ahead || (ahead[index]?.[at] === 1) === step.ahead.isWanted;
  };

  let after = new Uint8Array(steps.length);
  for (let at = text.length; at >= 0; at -= 1) {
    const here = new Uint8Array(steps.length);
    // Step 0 is the accepting state.
    const found = [0];
    const unit = text.charCodeAt(at);
    for (const [index, { is, to }] of steps.entries())
      if (is && at < text.length && after[to[0] as number] && is(unit)) found.push(index);
    for (const index of found) here[index] = 1;
    for (let next = found.pop(); next !== undefined; next = found.pop())
      for (const index of leadingTo[next] ?? [])
        if (!here[index] && isOpen(index, at)) {
          here[index] = 1;
          found.push(index);
        }
    starts[at] = here[start] as number;
    after = here;
  }
  return starts;
}

/** The limit of steps is shared with all lookahead programs, even if repeated. */
function programOf(whole: Node, left: { steps: number }): Program {
  const steps: Step[] = [{ to: [] }];
  const add = (step: Step) => steps.push(step) - 1;

  /** Emits the steps of a node before `next`; returns its first step. */
  function emit(node: Node, next: number): number {
    left.steps -= 1;
    if (left.steps < 0) throw new UnusablePattern();
    switch (node.kind) {
      case 'unit':
        return add({ is: node.is, to: [next] });
      case 'edge':
        return add({ holds: node.holds, to: [next] });
      case 'ahead':
        return add({ ahead: { program: programOf(node.of, left), isWanted: node.isWanted }, to: [next] });
      case 'sequence':
        return node.of.reduceRight((after, each) => emit(each, after), next);
      case 'choice':
        return add({ to: node.of.map((each) => emit(each, next)) });
      case 'repeat':
        return emitRepeat(node, next);
    }
  }

  function emitRepeat({ of, least, most }: Node & { kind: 'repeat' }, next: number): number {
    let entry = next;
    if (most === Number.POSITIVE_INFINITY) {
      entry = add({ to: [next] });
      steps[entry]?.to.push(emit(of, entry));
    } else for (let count = least; count < most; count += 1) entry = add({ to: [next, emit(of, entry)] });
    for (let count = 0; count < least; count += 1) entry = emit(of, entry);
    return entry;
  }

  const start = emit(whole, 0);
  return { steps, start };
}

const oneOf =
  (units: string): Unit =>
  (unit) =>
    units.includes(String.fromCharCode(unit));
const not =
  (is: Unit): Unit =>
  (unit) =>
    !is(unit);
const between =
  (from: number, to: number): Unit =>
  (unit) =>
    unit >= from && unit <= to;
const isDigit = between(48, 57);
const isWord: Unit = (unit) => isDigit(unit) || between(65, 90)(unit) || between(97, 122)(unit) || unit === 95;
const isSpace: Unit = (unit) => /\s/.test(String.fromCharCode(unit));
const sets: Readonly<Record<string, Unit>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', '0': '\0' };

const isWordAt = (text: string, at: number) => at >= 0 && at < text.length && isWord(text.charCodeAt(at));
const atWordEnd: Edge = (text, at) => isWordAt(text, at - 1) !== isWordAt(text, at);

/** JavaScript syntax without flags, except backreferences, lookbehind, and escapes without a meaning. */
function parse(pattern: string): Node {
  let at = 0;
  const peek = () => pattern[at] ?? '';
  /** Consumes and returns the next token if it matches. */
  function take(like: RegExp): RegExpExecArray | null {
    const found = new RegExp(like, 'y');
    found.lastIndex = at;
    const taken = found.exec(pattern);
    if (taken) at = found.lastIndex;
    return taken;
  }
  function want(like: RegExp): RegExpExecArray {
    const taken = take(like);
    if (!taken) throw new UnusablePattern();
    return taken;
  }

  function choice(): Node {
    const of = [sequence()];
    while (take(/\|/)) of.push(sequence());
    return of.length === 1 ? (of[0] as Node) : { kind: 'choice', of };
  }

  function sequence(): Node {
    const of: Node[] = [];
    while (at < pattern.length && peek() !== '|' && peek() !== ')') of.push(repeated(atom()));
    return { kind: 'sequence', of };
  }

  function repeated(of: Node): Node {
    const count = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/);
    if (!count) return of;
    if (of.kind === 'edge' || of.kind === 'ahead' || take(/[*+?]/)) throw new UnusablePattern();
    const [, sign, exactly, comma, limit] = count;
    const least = sign ? (sign === '+' ? 1 : 0) : Number(exactly);
    const most = sign === '?' ? 1 : sign || (comma && !limit) ? Number.POSITIVE_INFINITY : Number(limit || exactly);
    if (least > most) throw new UnusablePattern();
    return { kind: 'repeat', of, least, most };
  }

  function atom(): Node {
    if (take(/\^/)) return { kind: 'edge', holds: (_text, place) => place === 0 };
    if (take(/\$/)) return { kind: 'edge', holds: (text, place) => place === text.length };
    if (take(/\\b/)) return { kind: 'edge', holds: atWordEnd };
    if (take(/\\B/)) return { kind: 'edge', holds: (text, place) => !atWordEnd(text, place) };
    if (take(/\./)) return { kind: 'unit', is: not(oneOf('\n\r\u2028\u2029')) };
    if (take(/\[/)) return { kind: 'unit', is: unitClass() };
    const ahead = take(/\(\?([=!])/);
    if (ahead) return { kind: 'ahead', of: closed(), isWanted: ahead[1] === '=' };
    if (take(/\((?:\?:|\?<\w+>|(?!\?))/)) return closed();
    if (take(/\\/)) return { kind: 'unit', is: escaped() };
    // A brace that is not a quantifier is literal. A quantifier without an atom and an invalid group are errors.
    return { kind: 'unit', is: oneOf(want(/[^*+?()|]/)[0]) };
  }

  function closed(): Node {
    const inside = choice();
    want(/\)/);
    return inside;
  }

  function escaped(): Unit {
    const set = take(/[dDwWsS]/);
    return set ? (sets[set[0]] as Unit) : oneOf(letter());
  }

  /** After a backslash: a code point, a control character, or a literal. */
  function letter(): string {
    const code = take(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/);
    if (code) return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
    const control = take(/[tnrfv]|0(?!\d)/);
    return control ? (controls[control[0]] as string) : want(/[^A-Za-z0-9]/)[0];
  }

  function unitClass(): Unit {
    const isNegated = take(/\^/) !== null;
    const members: Unit[] = [];
    while (!take(/\]/)) {
      const from = member();
      const isRange = typeof from === 'string' && take(/-(?!\])/) !== null;
      const to = isRange ? member() : from;
      if (typeof to !== 'string' || typeof from !== 'string') {
        if (isRange) throw new UnusablePattern();
        members.push(from as Unit);
        continue;
      }
      if (from > to) throw new UnusablePattern();
      members.push(between(from.charCodeAt(0), to.charCodeAt(0)));
    }
    const isMember: Unit = (unit) => members.some((is) => is(unit));
    return isNegated ? not(isMember) : isMember;
  }

  function member(): string | Unit {
    if (!take(/\\/)) return want(/[^\]]/)[0];
    if (take(/b/)) return '\b';
    const set = take(/[dDwWsS]/);
    return set ? (sets[set[0]] as Unit) : letter();
  }

  const whole = choice();
  if (at < pattern.length) throw new UnusablePattern();
  return whole;
}
