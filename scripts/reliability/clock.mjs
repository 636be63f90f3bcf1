// Preloaded into a portal whose clock a test moves ahead, so that it need not wait for "not found for a day".
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const RealDate = Date;
const steadyNow = performance.now.bind(performance);

Object.defineProperty(performance, 'now', { value: () => steadyNow() + aheadMs, configurable: true });

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};

process.on('message', (message) => {
  if (typeof message?.clockAheadMs === 'number') aheadMs = message.clockAheadMs;
});
process.channel?.unref();
