// Preloaded into the processes we start: one whose parent was killed stops as if told to.
if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
