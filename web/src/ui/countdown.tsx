import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

export interface CountdownProps {
  seconds: number;
  onEnd?: () => void;
  format: (secondsLeft: number) => ReactNode;
}

/** Change its `key` to restart it. It follows the clock, so a phone that slept does not wait longer. */
export function Countdown({ seconds, onEnd, format }: CountdownProps) {
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    const deadline = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      end();
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return (
    <span className="figures" role="timer">
      {format(left)}
    </span>
  );
}
