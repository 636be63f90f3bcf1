import { type MutationOptions, useIsMutating, useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';

/** Names of the acts that are under way, or whose result is not rendered yet. */
const underWay = new Set<string>();

/** Whether the last click was the second of a double click. A key, and the form that it sends, count as no click. */
let isSecondClick = false;
for (const kind of ['click', 'keydown'] as const)
  window.addEventListener(
    kind,
    (event) => {
      isSecondClick = kind === 'click' && event.detail > 1;
    },
    true,
  );

/**
 * A mutation that is called once, however often its button is pressed before its result is rendered: `isPending` is
 * rendered too late for that. Acts with the same `mutationKey` exclude each other, because each would make the version
 * that the other one names outdated.
 */
export function useAct<Data, Input = void>(options: MutationOptions<Data, Error, Input>) {
  const acting = useMutation(options);
  const { mutationKey } = options;
  const own = useId();
  const name = mutationKey ? JSON.stringify(mutationKey) : own;
  const others = useIsMutating({
    predicate: ({ options: one }) => !!mutationKey && JSON.stringify(one.mutationKey) === name,
  });
  /** Of this hook's act, which holds the name until its end is rendered, or until nothing renders it any more. */
  const state = useRef<'none' | 'underWay' | 'ended'>('none');
  const [ended, setEnded] = useState(0);
  const isRendered = useRef(false);
  const release = () => {
    if (state.current !== 'ended') return;
    underWay.delete(name);
    state.current = 'none';
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the end is rendered.
  useEffect(() => {
    isRendered.current = true;
    release();
    return () => {
      isRendered.current = false;
      release();
    };
  }, [ended]);
  return {
    ...acting,
    isPending: acting.isPending || others > 0,
    mutate(input: Input) {
      if (isSecondClick || underWay.has(name)) return;
      underWay.add(name);
      state.current = 'underWay';
      const end = () => {
        state.current = 'ended';
        if (isRendered.current) setEnded((count) => count + 1);
        else release();
      };
      void acting.mutateAsync(input).then(end, end);
    },
  };
}
