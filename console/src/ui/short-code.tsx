import { Code } from '@mantine/core';
import { wrapped } from './wrapped.tsx';

/** Longer than what people read out. */
const longest = 16;
const [head, tail] = [6, 4];

/** An id or a digest; a long one is shortened, and shown in full when it is opened. */
export function ShortCode({ code }: { code: string }) {
  if (code.length <= longest) return <Code>{code}</Code>;
  return (
    <details className="short-code">
      <summary title={code}>
        <Code>{`${code.slice(0, head)}…${code.slice(-tail)}`}</Code>
      </summary>
      <Code>{wrapped(code)}</Code>
    </details>
  );
}
