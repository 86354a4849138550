import { createChartRenderer } from '../../src/charts/chart-renderer.ts';
import { spec } from './chart-specs.ts';
import { watchChildProcesses } from './watch-child-processes.ts';

// Draws a chart and prints the process ID of the renderer. Then exits or
// stays, as requested.
watchChildProcesses((child) => child.once('message', () => process.stdout.write(`${child.pid}\n`)));
const charts = createChartRenderer();
await charts.render(spec());
if (process.argv[2] === 'stay') setInterval(() => undefined, 60_000);
