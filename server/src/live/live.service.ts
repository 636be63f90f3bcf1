import type { Listen } from '../db/listen.ts';
import { liveChannel } from '../db/notify.ts';
import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';

export { createFollowed, type Followed } from './followed.ts';

/** Publishes that something changed, in whichever process, to those who wait for it. Says that it changed, not how. */
export interface Live {
  /** Calls `changed` on each change, until the returned function is called. */
  watch(topic: string, changed: () => void): () => void;
  /** The same for the life of the process, and also whenever notifications may have been missed. */
  follow(topic: string, changed: () => void): void;
  /** False while notifications of other processes do not arrive: callers should not rely on them. */
  isHearing(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createLive({
  listen,
  missed,
  log,
  metrics,
}: {
  listen: Listen;
  /** Notifications may have been lost, so everyone who waits has to check. */
  missed: () => void;
  log: Logger;
  metrics: Metrics;
}): Live {
  const watchers = new Map<string, Set<() => void>>();
  const followers: (() => void)[] = [];
  const events = liveEvents(log, metrics);
  let isHearing = false;
  let listening: Awaited<ReturnType<Listen>> | null = null;
  const listener = {
    received(topic: string) {
      events.received();
      for (const changed of watchers.get(topic) ?? []) changed();
    },
    lost(error: unknown) {
      isHearing = false;
      events.lost(error);
    },
    opened() {
      isHearing = true;
      missed();
      for (const changed of followers) changed();
    },
  };

  function watch(topic: string, changed: () => void): () => void {
    const ofTopic = watchers.get(topic) ?? new Set();
    watchers.set(topic, ofTopic.add(changed));
    return () => {
      ofTopic.delete(changed);
      if (ofTopic.size === 0 && watchers.get(topic) === ofTopic) watchers.delete(topic);
    };
  }

  return {
    watch,
    follow(topic, changed) {
      followers.push(changed);
      watch(topic, changed);
    },
    isHearing: () => isHearing,
    async start() {
      listening = await listen(liveChannel, listener);
    },
    async stop() {
      isHearing = false;
      await listening?.close();
    },
  };
}

function liveEvents(log: Logger, metrics: Metrics) {
  const received = metrics.counter('portal_live_changes_total', 'Changes heard of, of any process', []);
  const lost = metrics.counter('portal_live_lost_total', 'Times the connection that hears of changes was lost', []);
  for (const counter of [received, lost]) counter.inc(0);
  return {
    received: () => received.inc(),
    lost(error: unknown) {
      lost.inc();
      log.warn({ err: error }, 'changes are not heard of: waiting pages ask by themselves');
    },
  };
}
