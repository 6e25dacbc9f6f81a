import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Preloaded into a server: each SIGWINCH prints the longest block of its event loop since the one before, in ms. */
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('SIGWINCH', () => {
  process.stdout.write(`longest block ${Math.max(0, delay.max / 1e6 - RESOLUTION_MS).toFixed(1)}\n`);
  delay.reset();
});
