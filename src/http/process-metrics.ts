import { performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Adds metrics of the process. They are measured only when they are read, unlike those of
 * prom-client, which wake an idle process.
 */
export function createProcessMetrics(registry: Registry): { refresh(): void } {
  const registers = [registry];
  const busy = new Gauge({
    name: 'rackhand_event_loop_utilization',
    help: 'Share of the time since the previous scrape in which the event loop was busy, 0 to 1.',
    registers,
  });
  const memory = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of this process, not including the one that draws charts.',
    registers,
  });
  const started = new Gauge({
    name: 'process_start_time_seconds',
    help: 'When this process started, in seconds since 1970.',
    registers,
  });
  const build = new Gauge({
    name: 'rackhand_build_info',
    help: 'Always 1. The labels say which version runs.',
    labelNames: ['version', 'node'],
    registers,
  });
  started.set(performance.timeOrigin / 1_000);
  build.set({ version: manifest.version, node: process.versions.node }, 1);
  let previous = performance.eventLoopUtilization();
  return {
    refresh() {
      const current = performance.eventLoopUtilization();
      busy.set(performance.eventLoopUtilization(current, previous).utilization);
      previous = current;
      memory.set(process.memoryUsage.rss());
    },
  };
}
